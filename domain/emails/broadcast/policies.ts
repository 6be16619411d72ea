import { ask } from '../../kernel/decide/ask.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import { policy } from '../../kernel/react/policy.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import { faultText, isLasting } from '../mailing/faults.ts'
import { delivery, mailing } from '../mailing/model.ts'
import { isOpen } from '../mailing/outcomes.ts'
import { broadcastOfCause } from '../mailing/purpose.ts'
import { broadcast } from './model.ts'
import { countOutcomes } from './outcomes.ts'
import { broadcasts } from './rules.ts'

/** Counts for a broadcast what became of a piece of its audience. */
export const broadcastsCountOutcomes = policy({
  name: 'broadcasts-count-outcomes',
  on: [mailing.event.MailingCompleted],
  async react({ stream }, documents) {
    const { id } = parseStream(stream)
    const read = readerOver(documents)
    const broadcast = broadcastOfCause((await read.one(mailing, id))?.cause ?? '')
    if (broadcast === undefined) return []
    const statuses = (await read.find(delivery, { where: { mailing_id: id } })).map(({ status }) => status)
    const outcomes = countOutcomes(statuses.filter((status) => !isOpen(status)))
    return [ask(broadcasts, broadcast, 'settle', { mailing_id: id, outcomes })]
  },
})

/** How long a fault of ours lasts before a broadcast counts as unhealthy, if it may pass by itself. */
const LASTING_MS = 60 * 60_000

/** Tells a broadcast that its mail cannot be handed over, for a reason that is no recipient's, and that it can again. */
export const broadcastsNoticeFaults = policy({
  name: 'broadcasts-notice-faults',
  on: [mailing.event.MailingPaused, mailing.event.MailingResumed],
  async react({ stream, type, data, metadata }, documents) {
    const one = await readerOver(documents).one(mailing, parseStream(stream).id)
    const broadcast = broadcastOfCause(one?.cause ?? '')
    if (broadcast === undefined) return []
    if (type === mailing.event.MailingResumed.type) return [ask(broadcasts, broadcast, 'recover', {})]
    const fault = 'reason' in data ? data.reason : ''
    const since = one?.paused_since ?? metadata.at
    const isLong = Date.parse(metadata.at) - Date.parse(since) >= LASTING_MS
    return isLong || isLasting(fault) ? [ask(broadcasts, broadcast, 'sicken', { reason: faultText(fault) })] : []
  },
})

/** Mails of one piece that came back for the same fault of ours, and the part of those that went out, from which on it is not about their recipients. */
const MANY_RETURNED = 5
const PART_RETURNED = 0.1

/** Pauses a broadcast whose mails come back since servers refuse whoever sends them, so that the rest does not meet the same. */
export const broadcastsPauseForReports = policy({
  name: 'broadcasts-pause-for-reports',
  on: [mailing.event.MailReturned],
  when: ({ data: { fault } }) => typeof fault === 'string',
  async react({ stream, data: { fault = '' } }, documents) {
    const { id } = parseStream(stream)
    const read = readerOver(documents)
    const of = broadcastOfCause((await read.one(mailing, id))?.cause ?? '')
    const one = of === undefined ? undefined : await read.one(broadcast, of)
    if (one?.status !== 'sending') return []
    const mails = await read.find(delivery, { where: { mailing_id: id } })
    const returned = mails.filter(({ returned: how, reason }) => how !== null && reason === fault).length
    const gone = mails.filter(({ status }) => !isOpen(status)).length
    const isMuch = returned >= MANY_RETURNED && returned >= gone * PART_RETURNED
    return isMuch ? [ask(broadcasts, one.id, 'pause', { reason: faultText(fault) })] : []
  },
})
