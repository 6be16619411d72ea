import type { Decider } from '../../domain/kernel/decide/decider.ts'
import { erasePerson, type ErasureDeps as KeyDeps } from '../../domain/kernel/engine/erase-person.ts'
import type { HasEventType } from '../../domain/kernel/values/event.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { DONE, inStreams, type Reaction } from '../reactor/reaction.ts'

interface ErasureDeps extends KeyDeps {
  /** Event types that erase the person that their stream is named after. */
  readonly erasures: readonly HasEventType[]
  readonly aggregates: ReadonlyMap<string, Decider>
  /** Clears the decrypted data that this process has cached. */
  readonly forget: () => void
}

/** Destroys the keys of an erased person, even if the request was cut off before it did. Retries without limit. */
export const erasureReaction = ({ erasures, log, vault, aggregates, forget }: ErasureDeps): Reaction =>
  inStreams({
    name: 'erasure',
    on: erasures,
    group: () => 'erasure',
    width: 4,
    maxAttempts: Number.POSITIVE_INFINITY,
    former: { checkpoint: 'erasure', from: 'there' },
    async react({ stream }) {
      const aggregate = aggregates.get(parseStream(stream).name)
      if (aggregate) await erasePerson({ log, vault }, aggregate.model, stream)
      forget()
      return DONE
    },
  })
