import { createHash } from 'node:crypto'
import { contact, contacts } from '../../domain/contacts/public.ts'
import {
  admitAttributes,
  contactAttributes,
  formSubmissions,
  type NextPage,
  type PageForm,
  submissionByNonce,
  submittedData,
} from '../../domain/forms/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import type { ClaimToTake } from '../../domain/kernel/ports/event-log.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import { isOver, type Session, sessions } from '../../domain/visits/public.ts'
import { CameSecond, contactOf, firstUnder } from './contact.ts'
import { typedIn } from './form-sent.ts'
import { pageAfter, pageNamedBy, redirects } from './next.ts'
import type { SdkService } from './service.ts'
import { campaignIn } from './source.ts'
import type { Sender, Visitors } from './visitor.ts'

/** A form that a page has sent, with a valid nonce. */
export interface SentForm extends Sender {
  /** Random part of the nonce, which is used once. */
  readonly nonce: string
  /** Session that it was sent in; 0: none. */
  readonly sessionId: number
  /** What names that session. */
  readonly secret: string | undefined
  readonly form: PageForm
  readonly ip: string
  readonly userAgent: string
}

/** A form left open for this long is no longer part of the visit in which it was opened. */
const FORGOTTEN_MS = 24 * 60 * 60_000

/** Returns the session that a form was sent in, unless it is too old to say who sent it. */
const sentIn = async (visitors: Visitors, { sessionId, found, form }: SentForm): Promise<Session | undefined> => {
  const record = sessionId === 0 ? undefined : await visitors.recordOf(sessionId)
  if (!record) return undefined
  const at = visitors.at(found)
  const isForgotten = Date.parse(at) - Date.parse(record.active_at ?? record.created_at) > FORGOTTEN_MS
  const isNobody = record.contact_id !== null && typedIn(form).email === undefined && isOver(record, at)
  return isForgotten || isNobody ? undefined : record
}

/** Whether mail goes to a contact only once it has confirmed that it wants it. */
const isUnconfirmed = async ({ engine }: SdkService, id: number): Promise<boolean> => {
  const known = (await engine.records(contacts, id, -1)).root(contact)
  return known !== undefined && (known.unconfirmed || known.unsubscribed_at !== null)
}

/** How long the first body under a nonce is known. The nonce does not last as long. */
const CLAIMED_MS = 60 * 60_000

/** Returns the claim that makes the first body under a nonce the only one. */
const claimOf = ({ vault, now }: SdkService, { nonce, form, found }: SentForm): ClaimToTake => {
  const content = JSON.stringify([
    ...form.fields,
    ...[...form.attributes.values()].map(({ key, values }) => [key, values]),
  ])
  const note = vault.token('submission.body', createHash('sha256').update(content).digest('hex'))
  return { key: `form:${found.workspaceId}:${nonce}`, note, until: now() + CLAIMED_MS }
}

/** Begins a session for a form that was sent in none, or by somebody else than before. A repeat of the form has the same one. */
const beginFor = async (visitors: Visitors, sent: SentForm, before: Session | undefined): Promise<number> =>
  visitors.begin({
    ...sent,
    visitor: before?.visitor ?? null,
    consent: before?.consent ?? false,
    campaign: campaignIn(''),
    referrer: null,
    referring_domain: null,
    view: undefined,
    once: `submission:${sent.nonce}`,
  })

/** Creates the function that returns where a visitor goes after a form. */
const nextAfter =
  (service: SdkService, visitors: Visitors) =>
  async ({ found }: SentForm, sessionId: number, contactId: number | null): Promise<NextPage> => {
    const own = { page_id: found.page.id, url: found.url }
    if (!found.step) return (await pageNamedBy(service, found)) ?? { ...own, thanks: true }
    const session = await visitors.recordOf(sessionId)
    const known = contactId === null ? undefined : (await service.engine.records(contacts, contactId, -1)).root(contact)
    const visitor = session?.visitor ?? `session ${sessionId}`
    const next = await pageAfter(service, found, { visitor, contact: known, at: visitors.at(found) })
    return next ?? own
  }

/** Leaves a form alone that came second: the first one has the answer. */
const onlyIfFirst = (error: unknown): void => {
  if (!(error instanceof CameSecond)) throw error
}

/**
 * Creates the function that records a form and returns where the visitor goes next. A repeat of a form, also after a kill at any moment, changes nothing
 * more and leads to the same page.
 */
export const submissions = (service: SdkService, visitors: Visitors) => {
  const { engine, ids } = service
  const contactFor = contactOf(service, visitors)
  const redirectTo = redirects(service)
  const nextFor = nextAfter(service, visitors)

  /** Returns the id of the session of the contact, which is known from now on. */
  const identify = async (
    sent: SentForm,
    before: Session | undefined,
    contactId: number | null,
    once: ClaimToTake | undefined,
  ): Promise<number> => {
    const isSomebodyElse = before && before.contact_id !== null && before.contact_id !== contactId
    const id = before && !isSomebodyElse ? before.id : await beginFor(visitors, sent, before)
    const typed = typedIn(sent.form)
    const asked = ask(sessions, id, 'identify', { contact_id: contactId, typed })
    const result = firstUnder(once, await visitors.send(asked, sent, once))
    if (result instanceof Refusal) throw result
    return id
  }

  /** Records a form that is sent for the first time, unless another request does so at the same moment. */
  const record = async (sent: SentForm): Promise<void> => {
    const { found, nonce } = sent
    const before = await sentIn(visitors, sent)
    const transact = (asked: Parameters<Visitors['send']>[0]) => visitors.send(asked, sent)
    const page = { workspaceId: found.workspaceId, pageId: found.page.id }
    const form = await admitAttributes({ engine, ids, transact }, { ...page, sent: sent.form })
    const details = { typed: typedIn(form), attributes: contactAttributes(form) }
    const isDouble = found.page.double_opt_in && details.typed.email !== undefined
    const once = claimOf(service, sent)
    const contact_id = await contactFor({ ...details, isDouble, once }, before?.contact_id ?? null, sent)
    const session_id = await identify(sent, before, contact_id, contact_id === null ? once : undefined)
    const wanted = {
      ...{ contact_id, session_id, page_id: found.page.id, nonce, dropped_count: form.dropped },
      show_page_step_id: found.step?.id ?? null,
      funnel_id: found.step?.funnel.id ?? null,
      live_mode: found.mode === 'live',
      awaits_confirmation: isDouble && contact_id !== null && (await isUnconfirmed(service, contact_id)),
      data: submittedData(form),
      next: await nextFor(sent, session_id, contact_id),
    }
    const result = await visitors.send(ask(formSubmissions, 'new', 'create', wanted), sent)
    if (result instanceof Refusal && !result.details.some(({ code }) => code === 'taken')) throw result
  }

  return async (sent: SentForm): Promise<string> => {
    const { nonce } = sent
    const { workspaceId, page } = sent.found
    const find = () => submissionByNonce(service, workspaceId, nonce)
    if (!(await find())) await record(sent).catch(onlyIfFirst)
    const made = await find()
    // Another body came first under this nonce, and is being recorded.
    if (!made) throw refuse.unavailable('another form is being recorded with the same nonce; try again')
    const { next, session_id, created_at, awaits_confirmation } = made
    const thanks = awaits_confirmation ? 'to confirm' : 'arrived'
    const sessionId = session_id ?? 0
    const left = visitors.leftFor(sessionId, sent.secret, sent.found)
    return redirectTo(
      { page_id: next?.page_id ?? page.id, url: next?.url ?? sent.found.url },
      { sessionId, left, cause: nonce, since: Date.parse(created_at) },
      next?.thanks ? thanks : undefined,
    )
  }
}
