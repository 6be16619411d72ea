import { randomInt, randomUUID } from 'node:crypto'
import type { Ask } from '../../domain/kernel/decide/ask.ts'
import { type FollowUp, finishFollowUps, transactTogether } from '../../domain/kernel/engine/follow-up.ts'
import type { Outcome, Repeated } from '../../domain/kernel/engine/transaction.ts'
import type { Claim } from '../../domain/kernel/ports/event-log.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import type { WriteInput, WriteOperation } from '../../domain/resources/operation.ts'
import { kindOf } from '../../domain/resources/resource.ts'
import { createLoader, createPastLoader } from '../../projections/loading.ts'
import type { Form } from '../../projections/response-cache.ts'
import { orThrow } from '../errors.ts'
import { expansions } from '../query.ts'
import type { ApiRequest, Reply } from '../request.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { unpackState } from '../state-token.ts'
import { fieldsOf, queryOf, referencesOf, type Sent } from './body.ts'
import { claimOf, firstAnswer, type Idempotency, idempotencyOf } from './idempotency.ts'
import { cutHeaders, etag, ownerOf, present, recordOf } from './read.ts'
import { BEHIND, caughtUp, READ_YOUR_WRITES_MS, unlessLate } from './read-your-writes.ts'
import { reveal } from './reveal.ts'
import { checkTargets } from './targets.ts'
import { settledStatus } from './wait-until-settled.ts'
import { checkClock, timeFor } from './workspace-clock.ts'

const UPSERT_ATTEMPTS = 5

/** The revision that `If-Match` asks for; `undefined` when it does not ask. */
const ifMatch = (request: ApiRequest): number | undefined => {
  const header = request.headers['if-match']
  if (header === undefined || header === '*') return undefined
  const revision = /^(?:W\/)?"?(\d+)"?$/.exec(header)?.[1]
  if (revision === undefined) throw refuse.preconditionFailed('If-Match must be an ETag that this service gave')
  return Number(revision)
}

/** Carries out a write and answers with the record as it then is. */
export const write = async (service: Service, route: Route, request: ApiRequest): Promise<Reply> => {
  const operation = route.operation as WriteOperation
  const { seesPersonalData } = request.caller
  const form = { expand: expansions(request.query, route.resource, operation.expanded), seesPersonalData }
  const owner = await ownerOf(service, route, request)
  const idempotency = idempotencyOf(service, route, request)
  const earlier = idempotency && (await service.log.claimed(idempotency.key))
  if (earlier?.undecided) throw refuse.unavailable('the first request under this key is being carried out; try again')
  if (idempotency && earlier) return replay(service, route, earlier, idempotency, form)
  const document = operation.on === 'record' ? await recordOf(service, route, request, owner) : undefined
  await checkClock(service, document ?? owner)
  const said = fieldsOf(service, operation, request.body)
  checkTargets(service, operation, said.fields)
  return unlessLate(service, async () => {
    const input = await inputOf(service, route, request, said, owner, document)
    for (let attempt = 0; attempt < UPSERT_ATTEMPTS; attempt++) {
      const target = await resolve(service, route, operation, input)
      const status = operation.upsert && target.exists ? 200 : operation.answers
      const result = await carryOut(service, route, request, target, status, idempotency)
      if (result instanceof Refusal && operation.upsert && isTaken(result)) continue
      const outcome = orThrow(inBody(operation, result))
      if ('repeatOf' in outcome) return replay(service, route, outcome.repeatOf, idempotency!, form)
      await perform(service, operation, target.id)
      return answer(service, route, target, await settledStatus(service, route, target.id, status), outcome, form)
    }
    throw refuse.conflict('The record is being created by too many requests at once; try again')
  })
}

/** Decisions name fields; a client knows them by their place in the body. */
const inBody = <T>(operation: WriteOperation, result: T | Refusal): T | Refusal => {
  const { body } = operation
  if (!(result instanceof Refusal) || !body) return result
  const placed = result.details.map((detail) =>
    detail.field in body.fields && body.root !== null ? { ...detail, field: `${body.root}.${detail.field}` } : detail,
  )
  return new Refusal(result.kind, result.message, placed, result.retryAfter)
}

/** What a write does beyond the log. A replay does it too: the first request may have been cut off before. */
const perform = async (service: Service, { effects }: WriteOperation, id: number): Promise<void> => {
  if (!effects?.includes('destroyKey')) return
  await service.vault.destroy(id)
  service.forget()
}

const isTaken = (refusal: Refusal): boolean => refusal.details.some((detail) => detail.code === 'taken')

const inputOf = async (
  service: Service,
  { resource, operation: declared }: Route,
  request: ApiRequest,
  { fields, sent }: Sent,
  owner: Document | undefined,
  document: Document | undefined,
): Promise<WriteInput> => {
  const { caller } = request
  const operation = declared as WriteOperation
  const place = document ?? owner
  const workspaceId = place?.workspace_id ?? undefined
  return {
    id: document ? Number(document.id) : service.ids.next(kindOf(resource)),
    exists: document !== undefined,
    fields,
    sent,
    query: queryOf(service, operation, request.query),
    ...(owner && { owner }),
    ...(document && { document }),
    references: await referencesOf(service, operation, fields, caller, workspaceId as number | undefined),
    caller,
    actor: { label: `key:${caller.tokenId}`, membershipId: caller.membershipId },
    at: timeFor(service, place),
    read: service.live,
    external: service.external,
    vault: service.vault,
    mint: (kind) => service.ids.next(kind),
    uuid: () => randomUUID(),
    token: randomToken,
    parseId: (value, kind) => service.publicIds.of(kind).parse(value),
    unpack: unpackState,
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Letters and digits, each drawn evenly by the system's secure generator. */
const randomToken = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** An upsert writes to the record that holds the claim, if there is one. */
const resolve = async (
  service: Service,
  route: Route,
  operation: WriteOperation,
  input: WriteInput,
): Promise<WriteInput> => {
  const wanted = operation.upsert?.claim(input)
  if (!wanted) return input
  const held = await service.log.claimed(service.engine.claimKey(wanted))
  if (!held) return input
  const { id } = parseStream(held.stream)
  const document = await service.live.get(route.resource.name, id)
  return { ...input, id, exists: true, ...(document && { document }) }
}

/** The id of the stream that a new child comes into: of its owner, or of the one that the owner itself is a child of. */
const streamBelow = (service: Service, { resource }: Route, { owner }: WriteInput): number => {
  const of = service.resources.get(resource.under.resource)
  const isSibling = of?.aggregate === resource.aggregate && of.documents.aggregateId !== undefined
  return isSibling && owner ? of.documents.aggregateId!(owner) : Number(owner?.id)
}

/** What follows is asked at the same moment, by the same client, in the same workspace. */
const followUpOf = ({ ids }: Service, input: WriteInput, { aggregate, id: named, command }: Ask): FollowUp => {
  const { type, wanted, workspaceId = Number((input.document ?? input.owner)?.workspace_id), ...besides } = command
  const id = named === 'new' ? ids.next(aggregate.name) : named
  const { at, actor } = input
  return { aggregate, id, command: { type, id, workspaceId, wanted, at, actor, ...besides } }
}

const carryOut = async (
  service: Service,
  route: Route,
  request: ApiRequest,
  input: WriteInput,
  status: number,
  idempotency: Idempotency | undefined,
): Promise<Outcome | Repeated | Refusal> => {
  const { resource } = route
  const { aggregateId } = resource.documents
  const operation = route.operation as WriteOperation
  const place = input.document ?? input.owner
  const id = !aggregateId ? input.id : input.document ? aggregateId(input.document) : streamBelow(service, route, input)
  const revision = input.document && ifMatch(request)
  const command = await operation.command(input)
  if (command instanceof Refusal) return command
  // What follows goes by documents: those of a moment ago could leave something out for good.
  if (operation.followUps) await caughtUp(service)
  const follows = (await operation.followUps?.(input, service.live, command)) ?? []
  if (follows instanceof Refusal) return follows
  const followUps = follows.map((one) => followUpOf(service, input, one))
  const transaction = {
    aggregate: resource.aggregate,
    id,
    command,
    isNew: !input.exists && !aggregateId,
    teamId: request.caller.teamId,
    ...(typeof place?.workspace_id === 'number' && { workspaceId: place.workspace_id }),
    causationId: request.requestId,
    correlationId: request.requestId,
    ...(revision !== undefined && { ifRevision: { model: resource.name, id: input.id, revision } }),
    ...(idempotency && { once: claimOf(service, idempotency, input.id, status) }),
  }
  return transactTogether(service.engine, transaction, followUps, randomUUID)
}

const answer = async (
  service: Service,
  route: Route,
  { id, document: before, owner }: WriteInput,
  status: number,
  outcome: Outcome,
  form: Form,
): Promise<Reply> => {
  const { resource } = route
  const reached = outcome.position < 0 || (await service.progress.reached(outcome.position, READ_YOUR_WRITES_MS))
  const headers = reached ? {} : BEHIND
  if (status === 204) return { status, headers }
  if (reached && !(route.operation as WriteOperation).reveals) {
    const shown = await service.shown.one(resource, id, form)
    if (!shown) throw refuse.notFound(resource.missing)
    return { status, text: shown.text, headers: { ETag: etag(shown.frame), ...cutHeaders(shown.cuts) } }
  }
  const document = reached
    ? await service.live.get(resource.name, id)
    : await service.history.document(resource, id, { at: timeFor(service, before ?? owner) })
  if (!document) throw refuse.notFound(resource.missing)
  const load = createLoader(service, form.seesPersonalData)
  const body = reveal(service, route, document, await present(service, resource, document, load, form.expand))
  return { status, body, headers: { ...headers, ETag: etag(document), ...cutHeaders(load.cuts) } }
}

/** What the first request was kept from doing in other streams is done now. */
const finish = async (service: Service, event: RecordedEvent): Promise<void> => {
  if (!event.metadata.follow_ups) return
  const position = orThrow(await finishFollowUps(service.engine, service.aggregates, event))
  await service.progress.reached(position, READ_YOUR_WRITES_MS)
}

/** The answer of the first request under an idempotency key, made again from the log as it stood then. */
const replay = async (
  service: Service,
  route: Route,
  claim: Claim,
  idempotency: Idempotency,
  { expand, seesPersonalData }: Form,
): Promise<Reply> => {
  const { id, status } = firstAnswer(claim, idempotency)
  const headers = { 'Idempotency-Replayed': 'true' }
  await perform(service, route.operation as WriteOperation, id)
  const upTo = { stream: claim.stream, revision: claim.revision }
  let at = new Date(service.now()).toISOString()
  for await (const event of service.log.readStream(upTo.stream, { from: upTo.revision, limit: 1 })) {
    at = event.metadata.at
    await service.progress.reached(event.position, READ_YOUR_WRITES_MS)
    await finish(service, event)
  }
  if (status === 204) return { status, headers }
  const moment = { at, upTo }
  const document = await service.history.document(route.resource, id, moment)
  if (!document) throw refuse.notFound(route.resource.missing)
  const past = createPastLoader(service, moment, seesPersonalData)
  const body = reveal(service, route, document, await route.resource.view.present(document, past, expand))
  return { status, body, headers: { ...headers, ETag: etag(document), ...cutHeaders(past.cuts) } }
}
