import type { Document } from '../ports/read-models.ts'
import type { Vault } from '../ports/vault.ts'
import type { DomainEvent, JsonObject, Metadata, RecordedEvent } from '../values/event.ts'
import { type MaybePromise, mapMaybe } from '../values/maybe-promise.ts'
import { parseStream } from '../values/stream-name.ts'

/**
 * Key of the personal part of an event or a document: an object in the domain, a sealed string in the log and in the read
 * models, and `null` once the person has been erased.
 */
export const PERSONAL = 'personal'

/** Field of a document with the id of the person whom its personal part is about, where that differs from the record's id. */
export const PERSON_FIELD = 'personal_of'

const isSealable = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

/** Returns the id of the person whom the personal part of an event is about: the one in its metadata, or else the id of the stream. */
export const personOf = ({ stream, metadata }: { readonly stream: string; readonly metadata: Metadata }): number =>
  metadata.of ?? parseStream(stream).id

/** Returns the event with its personal part sealed under the key of that person. */
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

/** Returns the event with its personal part opened, or `null` in its place when the key has been destroyed. */
export const openEvent = (vault: Vault, event: RecordedEvent): MaybePromise<RecordedEvent> => {
  const sealed = event.data[PERSONAL]
  if (typeof sealed !== 'string') return event
  return mapMaybe(vault.open(personOf(event), sealed), (personal) => ({
    ...event,
    data: { ...event.data, [PERSONAL]: personal },
  }))
}

/** Returns the document with its personal part opened, or `null` in its place once the person has been erased. */
export const openDocument = (vault: Vault, document: Document): MaybePromise<Document> => {
  const sealed = document[PERSONAL]
  if (typeof sealed !== 'string') return document
  const person = Number(document[PERSON_FIELD] ?? document.id)
  return mapMaybe(vault.open(person, sealed), (personal) => ({ ...document, [PERSONAL]: personal }))
}

/**
 * Returns the key number for personal values of a workspace that belong to no known person, such as values in stored filters. It is negative, so
 * that it differs from the id of every person.
 */
export const keyOfWorkspace = (workspaceId: number): number => -workspaceId

/** Returns the numbers of the keys under which the personal part of an event, or other values of its workspace, may be sealed. */
export const subjectsOf = (event: RecordedEvent): readonly number[] => {
  const { workspace_id } = event.metadata
  return [
    ...(typeof event.data[PERSONAL] === 'string' ? [personOf(event)] : []),
    ...(workspace_id === undefined ? [] : [keyOfWorkspace(workspace_id)]),
  ]
}
