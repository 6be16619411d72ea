import { parseStream } from '../../domain/kernel/decider.ts'
import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { EventLog, Subscription } from '../../domain/kernel/ports/event-log.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'

interface ErasureParts {
  /** Types of events that say that the person their stream is named after is erased. */
  readonly erasures: readonly string[]
  readonly log: EventLog
  readonly vault: Vault
  readonly checkpoints: Checkpoints
  readonly onFailure: (error: unknown) => void
}

const REACTOR = 'erasure'

/** Sees to it that the key of an erased person is gone, also when the request that erased it was cut off before. */
export const startErasure = async (parts: ErasureParts): Promise<Subscription> => {
  const { erasures, log, vault, checkpoints, onFailure } = parts
  return log.subscribe(
    async (batch) => {
      for (const event of batch) if (erasures.includes(event.type)) await vault.destroy(parseStream(event.stream).id)
      await checkpoints.set(REACTOR, batch.at(-1)!.position)
    },
    { after: await checkpoints.get(REACTOR), onError: onFailure },
  )
}
