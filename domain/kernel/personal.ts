import { parseStream } from './decider.ts'
import type { DomainEvent, JsonObject, RecordedEvent } from './event.ts'
import type { MaybePromise } from './ports/read-models.ts'
import type { Vault } from './ports/vault.ts'

/**
 * What is personal in an event or a document lies under this one key: an object in the domain, a sealed string in the log and
 * in the read models, and `null` once the person has been erased. The person is the aggregate that the stream is named after.
 */
export const PERSONAL = 'personal'

const isSealable = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

/** The event with its personal part sealed under the key of the stream's aggregate. */
export const sealEvent = <E extends DomainEvent>(vault: Vault, subject: number, event: E): MaybePromise<E> => {
  const personal = event.data[PERSONAL]
  if (!isSealable(personal)) return event
  const sealed = vault.seal(subject, personal as JsonObject)
  const within = (text: string): E => ({ ...event, data: { ...event.data, [PERSONAL]: text } })
  return sealed instanceof Promise ? sealed.then(within) : within(sealed)
}

/** The event with its personal part opened; `null` in its place when the key has been destroyed. */
export const openEvent = (vault: Vault, event: RecordedEvent): MaybePromise<RecordedEvent> => {
  const sealed = event.data[PERSONAL]
  if (typeof sealed !== 'string') return event
  const opened = vault.open(parseStream(event.stream).id, sealed)
  const within = (personal: JsonObject | null): RecordedEvent => ({
    ...event,
    data: { ...event.data, [PERSONAL]: personal },
  })
  return opened instanceof Promise ? opened.then(within) : within(opened)
}
