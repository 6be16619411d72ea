import { broadcast } from '../../domain/emails/broadcast/model.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { isOfCopy } from '../older-copy.ts'
import { inStreams, type Reaction } from '../reactor/reaction.ts'
import { type BroadcastDeps, Sending } from './send.ts'

/** Broadcasts of a workspace whose mailings begin at once. */
const GROUP_LIMIT = 2
const TRIES = 10

const { event } = broadcast

/** Returns the reaction that sends broadcasts. Each is a lane, so that a pause or an end meets no mailing that is just beginning. */
export const broadcastReaction = (deps: BroadcastDeps): Reaction =>
  inStreams({
    name: 'broadcasts',
    on: [event.BroadcastSendingBegun, event.BroadcastPaused, event.BroadcastResumed, event.BroadcastCanceled],
    group: ({ metadata }) => `broadcasts:${metadata.workspace_id ?? 0}`,
    width: GROUP_LIMIT,
    maxAttempts: TRIES,
    async react(happened, turn) {
      await deps.seen(happened)
      const sending = new Sending(deps, turn, parseStream(happened.stream).id, happened.revision)
      if (happened.type === event.BroadcastPaused.type) return sending.pause()
      if (happened.type === event.BroadcastCanceled.type) return sending.cancel()
      if (isOfCopy(happened, deps.olderCopy)) return sending.hold()
      if (happened.type === event.BroadcastResumed.type) return sending.resume()
      return sending.send()
    },
  })
