import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { HasEventType } from '../../domain/kernel/values/event.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { DONE, inStreams, type Reaction } from '../reactor/reaction.ts'

interface ErasureDeps {
  /** Event types that erase the person that their stream is named after. */
  readonly erasures: readonly HasEventType[]
  readonly vault: Vault
  /** Clears the decrypted data that this process has cached. */
  readonly forget: () => void
}

/** Destroys the key of an erased person, even if the request was cut off before it did. Retries without limit. */
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
