import { contact, contacts } from '../../../domain/contacts/public.ts'
import type { SdkCall } from '../calls.ts'
import { type Destination, pageAfter, previewRedirect, redirects } from '../next.ts'
import { grantAt } from '../offers/grants.ts'
import type { SdkService } from '../service.ts'
import type { Visitors } from '../visitor.ts'
import type { CheckoutRecord } from './status.ts'

/** Who goes on. */
export interface Going {
  readonly sessionId: number
  readonly contactId: number | null
  /** Text that is the same for each repeat, such as the cart that was paid. */
  readonly cause: string
  /** The visitor's own checkout, whose method pays for what the next page offers. */
  readonly checkoutId: number | null
}

/** Where visitors go who have paid, or who have answered an offer. */
export interface Onward {
  /** Returns the address of the redirect to the next step, which grants what that step offers. */
  redirect(call: SdkCall, going: Going): Promise<string>
  /** Returns the address of the page that says that nothing was saved. */
  preview(call: SdkCall): Promise<string>
}

/** Returns the way of a visitor whose checkout is paid. */
export const goingFrom = ({ id, session_id, contact_id }: CheckoutRecord): Going => ({
  ...{ sessionId: session_id ?? 0, contactId: contact_id, checkoutId: id },
  cause: `checkout ${id}`,
})

/** Creates the ways onward. Behind the last step, visitors come back to its own page. */
export const onwardOf = (service: SdkService, visitors: Visitors): Onward => {
  const redirectTo = redirects(service)
  const nextFor = async ({ found }: SdkCall, { contactId, sessionId }: Going): Promise<Destination> => {
    const session = await visitors.recordOf(sessionId)
    const known = contactId === null ? undefined : await service.engine.records(contacts, contactId, -1)
    const visitor = session?.visitor ?? `session ${sessionId}`
    const next = await pageAfter(service, found, { visitor, contact: known?.root(contact), at: visitors.at(found) })
    return next ?? { page_id: found.page.id, url: found.url }
  }
  return {
    async redirect(call, going) {
      const { found } = call
      const next = await nextFor(call, going)
      if (going.checkoutId !== null && next.page_id !== found.page.id)
        await grantAt(service, visitors, call, { ...going, checkoutId: going.checkoutId, pageId: next.page_id })
      // A ticket is for one page, and is traded by one browser there.
      const cause = `${going.cause} to ${next.page_id}`
      const left = visitors.leftFor(going.sessionId, call.body.session, found)
      return redirectTo(next, { sessionId: going.sessionId, left, cause, since: Date.parse(visitors.at(found)) })
    },
    async preview({ found }) {
      const visitor = { visitor: 'preview', contact: undefined, at: visitors.at(found) }
      return previewRedirect(service, found, await pageAfter(service, found, visitor))
    },
  }
}
