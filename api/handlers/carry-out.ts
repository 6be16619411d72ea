import { randomUUID } from 'node:crypto'
import { type Ask, instanceOf, stampCommand } from '../../domain/kernel/decide/ask.ts'
import { type FollowUp, transactTogether } from '../../domain/kernel/engine/follow-up.ts'
import type { Outcome, Repeated } from '../../domain/kernel/engine/transaction.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import type { WriteInput, WriteOperation } from '../../domain/resources/operation.ts'
import type { ApiRequest } from '../request.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { claimOf, type Idempotency } from './idempotency.ts'
import { caughtUp } from './read-your-writes.ts'

/** The revision that `If-Match` asks for; `undefined` when it does not ask. */
const ifMatch = (request: ApiRequest): number | undefined => {
  const header = request.headers['if-match']
  if (header === undefined || header === '*') return undefined
  const revision = /^(?:W\/)?"?(\d+)"?$/.exec(header)?.[1]
  if (revision === undefined) throw refuse.preconditionFailed('If-Match must be an ETag that this service gave')
  return Number(revision)
}

/** The id of the stream that a new child comes into: of its owner, or of the one that the owner itself is a child of. */
const streamBelow = (service: Service, { resource }: Route, { owner }: WriteInput): number => {
  const of = service.resources.get(resource.under.resource)
  const isSibling = of?.aggregate === resource.aggregate && of.documents.aggregateId !== undefined
  return isSibling && owner ? of.documents.aggregateId!(owner) : Number(owner?.id)
}

/** What follows is asked at the same moment, by the same client, in the same workspace. */
const followUpOf = (input: WriteInput, asked: Ask): FollowUp => {
  const { aggregate, id, command } = stampCommand(asked, input, instanceOf(asked, input.mint).id)
  const workspaceId = Number((input.document ?? input.owner)?.workspace_id)
  return { aggregate, id, command: { workspaceId, ...command } }
}

/** Carries out the command of a write, and what it asks of other streams. @returns a refusal, or what happened */
export const carryOut = async (
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
  const followUps = follows.map((one) => followUpOf(input, one))
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
