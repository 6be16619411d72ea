import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { HasEventType } from '../../domain/kernel/values/event.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { DONE, inStreams, type Reaction } from '../reactor/reaction.ts'

interface ErasureDeps {
  /** Types of events that say that the person their stream is named after is erased. */
  readonly erasures: readonly HasEventType[]
  readonly vault: Vault
  /** Drops what this process keeps of opened data. */
  readonly forget: () => void
}

/** Sees to it that the key of an erased person is gone, also when the request that erased it was cut off before; tries until it is. */
export const erasureReaction = ({ erasures, vault, forget }: ErasureDeps): Reaction =>
  inStreams({
    name: 'erasure',
    on: erasures,
    group: () => 'erasure',
    width: 4,
    maxAttempts: Number.POSITIVE_INFINITY,
    former: { checkpoint: 'erasure', from: 'there' },
    async react({ stream }) {
      await vault.destroy(parseStream(stream).id)
      forget()
      return DONE
    },
  })
