import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { Leaving } from '../../domain/resources/family.ts'
import { DONE, inStreams, type Reaction } from '../reactor/reaction.ts'

interface Parts {
  readonly leavings: readonly Leaving[]
  readonly blobs: Pick<Blobs, 'remove'>
}

const TRIES = 10

/** Takes away the files that nothing refers to any more after an event. */
export const leavingsReaction = ({ leavings, blobs }: Parts): Reaction => {
  const byType = new Map(leavings.map((leaving) => [leaving.on.type, leaving]))
  return inStreams({
    name: 'leavings',
    on: leavings.map(({ on }) => on),
    gate: () => 'leavings',
    width: 4,
    tries: TRIES,
    async react(event) {
      for (const { name, part } of byType.get(event.type)?.blobs(event) ?? []) await blobs.remove(name, part)
      return DONE
    },
  })
}
