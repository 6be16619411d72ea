import { randomUUID } from 'node:crypto'
import { type Ask, instanceOf, stampCommand } from '../../domain/kernel/decide/ask.ts'
import { type FollowUp, transactTogether } from '../../domain/kernel/engine/follow-up.ts'
import type { Outcome, Repeated } from '../../domain/kernel/engine/transaction.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import type { WriteInput, WriteOperation } from '../../domain/resources/operation.ts'
import { caughtUp } from '../read-your-writes.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { claimOf, type Idempotency } from './idempotency.ts'
import type { ApiRequest } from './request.ts'

const ENTITY_TAG = /^(?:W\/)?"?(\d+)"?$/
/** Highest number of tags that are read. */
const MOST_TAGS = 100

/**
 * Returns the revisions of which `If-Match` requires one (RFC 9110); `undefined` when any will do. Tags that this service did not give match
 * nothing, so the others of their list decide.
 *
 * @throws {Refusal} precondition failed, for a header without a tag of this service, and for `*` where there is no record
 */
const ifMatch = (request: ApiRequest, { exists }: WriteInput): readonly number[] | undefined => {
  const header = request.headers['if-match']?.trim()
  if (header === undefined) return undefined
  if (header === '*' && !exists) throw refuse.preconditionFailed('There is no record yet')
  if (header === '*') return undefined
  const tags = header.split(',', MOST_TAGS).map((tag) => ENTITY_TAG.exec(tag.trim())?.[1])
  const revisions = tags.flatMap((tag) => (tag === undefined ? [] : [Number(tag)]))
  if (revisions.length > 0) return revisions
  throw refuse.preconditionFailed('If-Match must be an ETag that this service gave, or several')
}

/**
 * Returns the id of the stream for a new child: that of its owner, or that in which the owner itself is a child. Below an owner of another kind, the body
 * names the record that the child belongs to.
 */
const streamBelow = (service: Service, { resource }: Route, { owner, fields }: WriteInput): number => {
  const of = service.resources.get(resource.under.resource)
  const { aggregateId } = resource.documents
  if (of?.aggregate !== resource.aggregate && aggregateId) return aggregateId(fields as Document)
  return of?.documents.aggregateId && owner ? of.documents.aggregateId(owner) : Number(owner?.id)
}

/** Returns the id of the stream that a write is for. */
const streamOf = (service: Service, route: Route, input: WriteInput): number => {
  const { aggregateId } = route.resource.documents
  if (!aggregateId) return input.id
  return input.document ? aggregateId(input.document) : streamBelow(service, route, input)
}

/** Returns a follow-up with the time, client and workspace of the request. */
const followUpOf = (input: WriteInput, ask: Ask): FollowUp => {
  const { aggregate, id, command } = stampCommand(ask, input, instanceOf(ask, input.mint).id)
  const workspaceId = Number((input.document ?? input.owner)?.workspace_id)
  return { aggregate, id, command: { workspaceId, ...command } }
}

/** Carries out the command of a write and its follow-ups in other streams. @returns the outcome, or a refusal */
export const carryOut = async (
  service: Service,
  route: Route,
  request: ApiRequest,
  input: WriteInput,
  status: number,
  idempotency: Idempotency | undefined,
): Promise<Outcome | Repeated | Refusal> => {
  const { resource } = route
  const operation = route.operation as WriteOperation
  const record = input.document ?? input.owner
  const isOnly = operation.on === 'only'
  const revisions = input.document || isOnly ? ifMatch(request, input) : undefined
  const command = await operation.command(input)
  if (command instanceof Refusal) return command
  const id = command.begins?.id ?? streamOf(service, route, input)
  // Follow-ups are derived from documents. Outdated ones could leave something out for good.
  if (operation.followUps || operation.keepsWhatItReads) await caughtUp(service)
  const asks = (await operation.followUps?.(input, input.read, command)) ?? []
  if (asks instanceof Refusal) return asks
  const followUps = asks.map((one) => followUpOf(input, one))
  const transaction = {
    aggregate: resource.aggregate,
    id,
    command,
    referencesChecked: true as const,
    isNew: !input.exists && !isOnly && (!resource.documents.aggregateId || command.begins !== undefined),
    teamId: request.caller.teamId,
    ...(typeof record?.workspace_id === 'number' && { workspaceId: record.workspace_id }),
    causationId: request.requestId,
    correlationId: request.requestId,
    ...(revisions && { ifRevision: { model: resource.name, id: input.id, revisions } }),
    ...(idempotency && { once: claimOf(service, idempotency, input.id, status) }),
  }
  return transactTogether(service.engine, transaction, followUps, randomUUID)
}
