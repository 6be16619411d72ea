import { showPageStep } from '../../../domain/funnels/funnel/model.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { boundTo } from '../../../domain/kernel/decide/bound-reader.ts'
import { readEverywhere, readerOver } from '../../../domain/kernel/decide/rules.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { type Grant, grant, grants } from '../../../domain/offers/public.ts'
import { findAfterCatchUp } from '../../read-your-writes.ts'
import { signedTexts } from '../../signed-texts.ts'
import type { SdkCall } from '../calls.ts'
import type { SdkService } from '../service.ts'
import type { Sender, Visitors } from '../visitor.ts'

const MINUTE = 60_000

/** Page to which a visitor goes after a checkout of their own. */
interface Going {
  readonly sessionId: number
  readonly checkoutId: number
  readonly pageId: number
}

/** Grants a visitor what the page offers to which they go, once for their checkout. A page without products offers nothing. */
export const grantAt = async (
  service: SdkService,
  visitors: Visitors,
  sender: Sender,
  { sessionId, checkoutId, pageId }: Going,
): Promise<void> => {
  const { found } = sender
  const [shown] = await readerOver(boundTo(service.everywhere, found)).find(showPageStep, {
    where: { page_id: pageId },
    limit: 1,
  })
  if (!shown || shown.products.length === 0 || !found.step) return
  const expires = Date.parse(visitors.at(found)) + found.step.funnel.offer_minutes * MINUTE
  const wanted = {
    ...{ session_id: sessionId, page_id: pageId, show_page_step_id: shown.id, checkout_id: checkoutId },
    expires_at: new Date(expires).toISOString(),
  }
  const result = await visitors.send(ask(grants, 'new', 'create', wanted), sender)
  if (result instanceof Refusal && !result.details.some(({ code }) => code === 'taken')) throw result
}

/** Returns the last grant of a visitor at a page, if there is one. */
const grantOf = async (service: SdkService, sessionId: number, pageId: number): Promise<Grant | undefined> => {
  const read = readEverywhere(service.everywhere)
  const found = await findAfterCatchUp(service, async () =>
    (await read.find(grant, { where: { session_id: sessionId, page_id: pageId } })).at(-1),
  )
  return found && (await service.engine.records(grants, found.id, -1)).root(grant)
}

/** What names a granted offer in the hands of the page load that shows it. */
type Named = { readonly g: number; readonly p: number }

const signedFor = (service: SdkService) => signedTexts<Named>(service.secrets, 'offers')

/** Returns a text that names a granted offer to the load of its page, which stays that of its visitor whoever signs up in another tab. */
export const nameOf = (service: SdkService, { id, page_id }: Grant): string =>
  signedFor(service).sign({ g: id, p: page_id })

/** Returns the grant of the offer that a call names, or else the last one of a session at its page. */
export const grantNamed = async (
  service: SdkService,
  { found, body }: SdkCall,
  sessionId: number | undefined,
): Promise<Grant | undefined> => {
  const named = typeof body.offer === 'string' ? signedFor(service).verify(body.offer) : undefined
  if (named?.p === found.page.id) return (await service.engine.records(grants, named.g, -1)).root(grant)
  return sessionId === undefined ? undefined : grantOf(service, sessionId, found.page.id)
}
