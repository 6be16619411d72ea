import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { parseStream } from '../../domain/kernel/decider.ts'
import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { EventLog, Subscription } from '../../domain/kernel/ports/event-log.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'

interface ErasureParts {
  /** Types of events that say that the person their stream is named after is erased. */
  readonly erasures: readonly string[]
  readonly log: EventLog
  readonly vault: Vault
  /** Drops what this process keeps of opened data. */
  readonly forget: () => void
  readonly checkpoints: Checkpoints
  readonly logger: Logger
  readonly onFailure: (error: unknown) => void
}

const REACTOR = 'erasure'
const AGAIN_MS = 500

/** Sees to it that the key of an erased person is gone, also when the request that erased it was cut off before; tries until it is. */
export const startErasure = async (parts: ErasureParts): Promise<Subscription> => {
  const { erasures, log, vault, forget, checkpoints, logger, onFailure } = parts
  const closing = new AbortController()

  /** @returns whether it is done; not when told to stop */
  const destroy = async (person: number): Promise<boolean> => {
    while (!closing.signal.aborted) {
      try {
        await vault.destroy(person)
        forget()
        return true
      } catch (error) {
        logger.error({ err: error, person }, 'a key could not be destroyed; it will be tried again')
        await sleep(AGAIN_MS, undefined, { signal: closing.signal }).catch(() => undefined)
      }
    }
    return false
  }

  const subscription = log.subscribe(
    async (batch) => {
      for (const event of batch) {
        if (erasures.includes(event.type) && !(await destroy(parseStream(event.stream).id))) return
      }
      await checkpoints.set(REACTOR, batch.at(-1)!.position)
    },
    { after: await checkpoints.get(REACTOR), onError: onFailure },
  )
  return {
    async close() {
      closing.abort()
      await subscription.close()
    },
  }
}
