import type { Document } from '../ports/read-models.ts'
import type { Vault } from '../ports/vault.ts'
import {
  type DomainEvent,
  isJsonObject,
  type Json,
  type JsonObject,
  type Metadata,
  type RecordedEvent,
} from '../values/event.ts'
import { mailboxOf } from '../values/mailbox.ts'
import { type MaybePromise, mapMaybe } from '../values/maybe-promise.ts'
import { Refusal } from '../values/refusal.ts'
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
export const openDocument = (vault: Pick<Vault, 'open'>, document: Document): MaybePromise<Document> => {
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

/** Key numbers of addresses are below those of all workspaces. */
const ADDRESSES_BEGIN = 2n ** 50n
/** Prime below 2^50. */
const ADDRESSES = 1_125_899_906_842_597n

/**
 * Returns the key number for personal data about an e-mail address of which no contact of the workspace has it. It follows from a keyed digest of the
 * mailbox, so that what is sealed under it is found when a person who has, or had, the mailbox is erased, in whatever spelling of its address. The key
 * is destroyed with the person and leaves a tombstone, so nothing that comes in later can be sealed under it.
 */
export const keyOfAddress = (vault: Pick<Vault, 'token'>, workspaceId: number, address: string): number => {
  const digest = vault.token(`key of an address in ${workspaceId}`, mailboxOf(address))
  let number = 0n
  for (const character of digest) number = (number * 257n + BigInt(character.codePointAt(0) ?? 0)) % ADDRESSES
  return -Number(ADDRESSES_BEGIN + number)
}

/** Key numbers of sessions are below those of all addresses. */
const SESSIONS_BEGIN = 2 ** 51
/** Room for them among the safe integers. Ids of sessions use it up in 2077. */
const SESSIONS = 2 ** 53 - SESSIONS_BEGIN

/** Returns the key number for personal data of a visitor's session, which need not belong to a known person. */
export const keyOfSession = (sessionId: number): number => -(SESSIONS_BEGIN + (sessionId % SESSIONS))

/** Seals personal data under a key; `undefined` when the key has been destroyed. */
export const sealUnlessErased = async (
  vault: Pick<Vault, 'seal'>,
  subject: number,
  personal: JsonObject,
): Promise<string | undefined> => {
  try {
    return await vault.seal(subject, personal)
  } catch (error) {
    if (error instanceof Refusal && error.details.some(({ code }) => code === 'erased')) return undefined
    throw error
  }
}

/** Yields the numbers of the keys of values that are sealed on their own: `{text, of}`. */
function* keysIn(value: Json | undefined): Generator<number> {
  if (typeof value !== 'object' || value === null) return
  if (isJsonObject(value) && typeof value.text === 'string' && typeof value.of === 'number') yield value.of
  for (const inner of Object.values(value)) yield* keysIn(inner)
}

/** Returns the numbers of the keys under which the personal part of an event, or other values in it or of its workspace, may be sealed. */
export const subjectsOf = (event: RecordedEvent): readonly number[] => {
  const { workspace_id, follow_ups } = event.metadata
  return [
    ...(typeof event.data[PERSONAL] === 'string' ? [personOf(event)] : []),
    ...(workspace_id === undefined ? [] : [keyOfWorkspace(workspace_id)]),
    ...[event.data, ...(follow_ups?.commands ?? [])].flatMap((data) => [...keysIn(data)]),
  ]
}
