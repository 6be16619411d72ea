import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { OrphanedBlobs } from '../../domain/resources/family.ts'
import { DONE, inStreams, type Reaction } from '../reactor/reaction.ts'

interface OrphanedBlobsDeps {
  readonly orphanedBlobs: readonly OrphanedBlobs[]
  readonly blobs: Pick<Blobs, 'remove'>
}

const TRIES = 10

/** Returns the reaction that deletes the files to which nothing refers after an event. */
export const orphanedBlobsReaction = ({ orphanedBlobs, blobs }: OrphanedBlobsDeps): Reaction => {
  const byType = new Map(orphanedBlobs.map((orphaned) => [orphaned.on.type, orphaned]))
  return inStreams({
    name: 'leavings',
    on: orphanedBlobs.map(({ on }) => on),
    group: () => 'leavings',
    width: 4,
    maxAttempts: TRIES,
    async react(event) {
      for (const { name, part } of byType.get(event.type)?.blobs(event) ?? []) await blobs.remove(name, part)
      return DONE
    },
  })
}
