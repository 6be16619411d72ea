import { ask } from '../../kernel/decide/ask.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import { policy } from '../../kernel/react/policy.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import { delivery, mailing } from '../mailing/model.ts'
import { isOpen } from '../mailing/outcomes.ts'
import { broadcastOfCause } from '../mailing/purpose.ts'
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

/** How long a fault of ours lasts before a broadcast counts as unhealthy. */
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
    const since = one?.paused_since ?? metadata.at
    return Date.parse(metadata.at) - Date.parse(since) < LASTING_MS
      ? []
      : [ask(broadcasts, broadcast, 'sicken', { reason: 'reason' in data ? data.reason : '' })]
  },
})
