import { randomInt, randomUUID } from 'node:crypto'
import { boundTo } from '../../domain/kernel/decide/bound-reader.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { mintFrom } from '../../domain/kernel/values/ids.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { actorOf, type WriteInput, type WriteOperation } from '../../domain/resources/operation.ts'
import { idCounterOf } from '../../domain/resources/resource.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { placeFor } from '../tenancy.ts'
import { queryOf, type Sent } from './body.ts'
import { referencesOf } from './references.ts'
import type { ApiRequest } from './request.ts'
import { unpackState } from './state-token.ts'
import { timeFor } from './workspace-clock.ts'

/** Returns everything that the declaration of an operation may use to make its command. */
export const inputOf = async (
  service: Service,
  { resource, operation: declared }: Route,
  request: ApiRequest,
  { fields, sent }: Sent,
  owner: Document | undefined,
  document: Document | undefined,
): Promise<WriteInput> => {
  const { caller } = request
  const operation = declared as WriteOperation
  const record = document ?? owner
  const read = boundTo(service.everywhere, placeFor(caller, record))
  const known = document ?? (operation.on === 'only' ? owner : undefined)
  return {
    id: known ? Number(known.id) : service.ids.next(idCounterOf(resource)),
    exists: document !== undefined,
    fields,
    sent,
    query: queryOf(service, operation, request.query),
    ...(owner && { owner }),
    ...(document && { document }),
    references: await referencesOf(read, operation, fields),
    caller,
    actor: actorOf(caller),
    at: timeFor(service, record),
    read,
    external: service.external,
    vault: service.vault,
    mint: mintFrom(service.ids),
    uuid: () => randomUUID(),
    token: randomToken,
    parseId: (value, kind) => service.publicIds.of(kind).parse(value),
    unpack: unpackState,
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Returns letters and digits, each drawn evenly by the system's secure generator. */
const randomToken = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

const holderOf = async (
  service: Service,
  { claims, holder }: NonNullable<WriteOperation['upsert']>,
  input: WriteInput,
): Promise<number | undefined> => {
  const keys = claims(input).map((claim) => service.engine.claimKey(claim))
  for (const key of keys) {
    const held = await service.log.claimed(key)
    if (held) return parseStream(held.stream).id
  }
  return keys.length > 0 ? holder?.(input) : undefined
}

/**
 * Returns the input for the record to write to. An upsert writes to the record that holds the claim, if there is one.
 *
 * @param gone records that have ended, although their claim or document may still be seen
 */
export const targetOf = async (
  service: Service,
  route: Route,
  operation: WriteOperation,
  input: WriteInput,
  gone: ReadonlySet<number>,
): Promise<WriteInput> => {
  const id = operation.upsert && (await holderOf(service, operation.upsert, input))
  if (id === undefined || gone.has(id)) return input
  const document = await service.everywhere.get(route.resource.name, id)
  return { ...input, id, exists: true, ...(document && { document }) }
}
