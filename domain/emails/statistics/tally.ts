import { isJsonObject, type Json, type RecordedEvent } from '../../kernel/values/event.ts'
import { minorOf } from '../../kernel/values/money.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import type { Draft, Drafting, Tally, TallyChange } from '../../resources/tally.ts'
import { bucketsChanged, within } from '../../statistics/public.ts'
import { broadcast } from '../broadcast/model.ts'
import { mailing } from '../mailing/model.ts'
import type { Purpose } from '../mailing/purpose.ts'
import { COUNTED, type Counts, countsOf, type MailSale, movedBy, revenueIn, saleOf } from './counts.ts'

/** Collection of the sums by day, hour and minute, and of the outcomes of broadcasts. */
export const MAIL_SUMS = 'emails/sum'
/** Collection of the times at which each contact got the mail of a step. */
export const STEP_RECIPIENTS = 'emails/step_recipient'

/** Broadcast or step whose mails are counted. */
export type MailScope = { readonly broadcastId: number } | { readonly stepId: number }

/** Returns the key of a scope. */
export const mailScope = (scope: MailScope): string =>
  'broadcastId' in scope ? `broadcast-${scope.broadcastId}` : `step-${scope.stepId}`

/** Returns the id of the document with the outcomes of a broadcast. */
export const outcomesId = (broadcastId: number): string => `${mailScope({ broadcastId })}:outcomes`

const scopeOf = ({ broadcast_id, step_id }: Purpose): MailScope | undefined => {
  if (broadcast_id !== undefined) return { broadcastId: broadcast_id }
  return step_id === undefined ? undefined : { stepId: step_id }
}

const add = (content: Draft, numbers: Readonly<Record<string, number | undefined>>): void => {
  for (const [name, by] of Object.entries(numbers)) if (by) content[name] = Number(content[name] ?? 0) + by
}

const addSale = (cell: Draft, { currency, amount }: MailSale, draft: Drafting): void => {
  const { orders, total } = revenueIn(cell as Record<string, Json>, currency)
  within(cell, 'revenue', draft)[currency] = {
    orders: orders + 1,
    total: String(total + minorOf(amount, currency)),
  }
}

const sumChanges = (scope: MailScope, event: RecordedEvent, counts: Counts): readonly TallyChange[] => {
  const sale = saleOf(event)
  if (!sale && COUNTED.every((name) => !counts[name])) return []
  const addTo = (cell: Draft, _: number, draft: Drafting) => {
    add(cell, counts)
    if (sale) addSale(cell, sale, draft)
  }
  return bucketsChanged(mailScope(scope), Date.parse(event.metadata.at), addTo, MAIL_SUMS)
}

const outcomesChange = (broadcastId: number, moved: Readonly<Record<string, number>>): readonly TallyChange[] =>
  Object.keys(moved).length === 0
    ? []
    : [{ collection: MAIL_SUMS, id: outcomesId(broadcastId), addTo: (content) => add(content, moved) }]

/** Notes when a contact got the mail of a step. One who got it more than once is found by the last time. */
const recipientChange = (stepId: number, contactId: number, at: number): TallyChange => ({
  collection: STEP_RECIPIENTS,
  id: `${stepId}:${contactId}`,
  addTo(content) {
    const times = [...(Array.isArray(content.times) ? content.times : []), at]
    content.step_id = stepId
    content.times = times
    content.repeated_at = times.length > 1 ? at : null
  },
})

const ofMailing = (event: RecordedEvent): readonly TallyChange[] => {
  const purpose: Purpose = isJsonObject(event.data.purpose) ? event.data.purpose : {}
  const scope = scopeOf(purpose)
  if (!scope) return []
  const counts = countsOf(event)
  const sums = sumChanges(scope, event, counts)
  if ('broadcastId' in scope) return [...sums, ...outcomesChange(scope.broadcastId, movedBy(event))]
  const isSent = (counts.sends ?? 0) > 0 && purpose.contact_id !== undefined
  return isSent
    ? [...sums, recipientChange(scope.stepId, Number(purpose.contact_id), Date.parse(event.metadata.at))]
    : sums
}

/** Pieces of a canceled broadcast whose mailings never began have no outcomes of mails. */
const ofBroadcast = ({ type, stream, data }: RecordedEvent): readonly TallyChange[] =>
  type === broadcast.event.BroadcastPieceSettled.type && data.unbegun === true && isJsonObject(data.outcomes)
    ? outcomesChange(parseStream(stream).id, data.outcomes as Readonly<Record<string, number>>)
    : []

/** Numbers of the mails of broadcasts and of steps: what became of them, who opened and clicked, what was sold. */
export const mailTally: Tally = {
  name: 'mail',
  version: 1,
  aggregates: [mailing.name, broadcast.name],
  collections: [
    { name: MAIL_SUMS, indexes: [] },
    { name: STEP_RECIPIENTS, indexes: [{ fields: ['step_id'], sort: 'repeated_at' }] },
  ],
  changes: (event) => (parseStream(event.stream).name === broadcast.name ? ofBroadcast(event) : ofMailing(event)),
}
