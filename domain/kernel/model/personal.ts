import type { Document } from '../ports/read-models.ts'
import type { Vault } from '../ports/vault.ts'
import type { DomainEvent, JsonObject, Metadata, RecordedEvent } from '../values/event.ts'
import { type MaybePromise, mapMaybe } from '../values/maybe-promise.ts'
import { parseStream } from '../values/stream-name.ts'

/**
 * What is personal in an event or a document lies under this one key: an object in the domain, a sealed string in the log and
 * in the read models, and `null` once the person has been erased.
 */
export const PERSONAL = 'personal'

/** Field of a document with the id of the person whose it is, where that is not the record's own. */
export const PERSONAL_OF = 'personal_of'

const isSealable = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

/** Whose the personal part of an event is: the one that the event names, else the one that the stream is named after. */
export const personOf = ({ stream, metadata }: { readonly stream: string; readonly metadata: Metadata }): number =>
  metadata.of ?? parseStream(stream).id

/** The event with its personal part sealed under the key of the person whose it is. */
export const sealEvent = <E extends DomainEvent>(vault: Vault, person: number, event: E): MaybePromise<E> => {
  const personal = event.data[PERSONAL]
  if (!isSealable(personal)) return event
  return mapMaybe(
    vault.seal(person, personal as JsonObject),
    (text): E => ({
      ...event,
      data: { ...event.data, [PERSONAL]: text },
    }),
  )
}

/** The event with its personal part opened; `null` in its place when the key has been destroyed. */
export const openEvent = (vault: Vault, event: RecordedEvent): MaybePromise<RecordedEvent> => {
  const sealed = event.data[PERSONAL]
  if (typeof sealed !== 'string') return event
  return mapMaybe(vault.open(personOf(event), sealed), (personal) => ({
    ...event,
    data: { ...event.data, [PERSONAL]: personal },
  }))
}

/** A document with its personal part in the clear; `null` in its place once the person has been erased. */
export const openDocument = (vault: Vault, document: Document): MaybePromise<Document> => {
  const sealed = document[PERSONAL]
  if (typeof sealed !== 'string') return document
  const person = Number(document[PERSONAL_OF] ?? document.id)
  return mapMaybe(vault.open(person, sealed), (personal) => ({ ...document, [PERSONAL]: personal }))
}

/**
 * The key under which personal values of a workspace are sealed that tell of nobody who is known, such as those of stored filters: no person has a
 * number below 0.
 */
export const keyOfWorkspace = (workspaceId: number): number => -workspaceId

/** Under whose keys an event, or what it names, may be sealed. */
export const subjectsOf = (event: RecordedEvent): readonly number[] => {
  const { workspace_id } = event.metadata
  return [
    ...(typeof event.data[PERSONAL] === 'string' ? [personOf(event)] : []),
    ...(workspace_id === undefined ? [] : [keyOfWorkspace(workspace_id)]),
  ]
}
