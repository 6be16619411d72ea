import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import type { WriteInput, WriteOperation } from '../../domain/resources/operation.ts'
import { isUnsent } from '../../domain/resources/writes.ts'
import { orThrow } from '../errors.ts'
import { expansions } from '../query.ts'
import { retryAfterCatchUp } from '../read-your-writes.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { answer, shownOf } from './answer.ts'
import { fieldsOf } from './body.ts'
import { carryOut } from './carry-out.ts'
import { performEffects } from './effects.ts'
import { idempotencyOf } from './idempotency.ts'
import { inBody } from './in-body.ts'
import { answerInstead, wroteNothing } from './instead.ts'
import { noteAnswer } from './noted-answer.ts'
import { prepare } from './prepare.ts'
import { ownerOf, recordOf } from './record-access.ts'
import { replay } from './replay.ts'
import type { ApiRequest, Reply } from './request.ts'
import { checkTargets } from './targets.ts'
import { settledStatus } from './wait-until-settled.ts'
import { checkClock, timeFor } from './workspace-clock.ts'
import { inputOf, targetOf } from './write-input.ts'

const ATTEMPTS = 5

/** Carries out a write and answers with the record after it. */
export const write = async (service: Service, route: Route, request: ApiRequest): Promise<Reply> => {
  const operation = route.operation as WriteOperation
  const { seesPersonalData } = request.caller
  const form = { expand: expansions(request.query, route.resource, operation.expanded), seesPersonalData }
  const owner = await ownerOf(service, route, request)
  const idempotency = idempotencyOf(service, route, request)
  const earlier = idempotency && (await service.log.claimed(idempotency.key))
  if (earlier?.undecided) throw refuse.unavailable('the first request under this key is being carried out; try again')
  if (idempotency && earlier && !wroteNothing(earlier, idempotency))
    return replay(service, route, earlier, idempotency, form)
  const document = await documentOf(service, route, request, owner)
  await checkClock(service, document ?? owner)
  const sent = await fieldsOf(service, operation, request, document ?? owner)
  checkTargets(service, operation, sent.fields)
  return retryAfterCatchUp(service, async () => {
    const given = await inputOf(service, route, request, sent, owner, document)
    const instead = await answerInstead(service, operation, given, idempotency, earlier)
    if (instead) return instead
    const former = operation.showsBefore && document && (await shownOf(service, route, document, form))
    let input = orThrow(inBody(operation, await prepare(service, request, operation, given)))
    const gone = new Set<number>()
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const target = await targetOf(service, route, operation, input, gone)
      const status = operation.upsert && target.exists ? 200 : operation.answers
      const result = await carryOut(service, route, request, target, status, idempotency).catch(asRefusal)
      if (operation.upsert && result instanceof Refusal && isOvertaken(result, target, gone)) continue
      if (result instanceof Refusal && isMadeValueTaken(result, operation, input)) {
        input = { ...input, isMadeAnew: true }
        continue
      }
      const outcome = orThrow(inBody(operation, result))
      if ('repeatOf' in outcome) return replay(service, route, outcome.repeatOf, idempotency!, form)
      await performEffects(service, route, target.id)
      const settled = await settledStatus(service, route, target.id, status)
      if (operation.settled && idempotency)
        await noteAnswer(service, idempotency, settled, timeFor(service, document ?? owner))
      return answer(service, route, target, orThrow(settled), outcome, form, former)
    }
    throw refuse.conflict('The record is being created or removed by too many requests at once; try again')
  })
}

/** Returns the record that a request writes to, as far as it is there. */
const documentOf = async (service: Service, route: Route, request: ApiRequest, owner: Document | undefined) => {
  const { on } = route.operation as WriteOperation
  if (on === 'record') return recordOf(service, route, request, owner)
  return on === 'only' && owner ? service.everywhere.get(route.resource.name, owner.id) : undefined
}

/** Returns a refusal that was thrown. @throws {unknown} any other error */
const asRefusal = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error
  throw error
}

/** Whether a write was refused because of a value that was made for it, such as a path from a name, and that another record took meanwhile. */
const isMadeValueTaken = ({ details }: Refusal, { makes = {} }: WriteOperation, { fields }: WriteInput): boolean =>
  details.some(({ code, field }) => code === 'taken' && Object.hasOwn(makes, field) && isUnsent(fields[field]))

/** Whether an upsert was refused because the record that it writes to came or went meanwhile. Notes a record that went. */
const isOvertaken = ({ kind, details }: Refusal, { id, exists }: WriteInput, gone: Set<number>): boolean => {
  if (details.some(({ code }) => code === 'taken')) return true
  const isGone = exists && (kind === 'notFound' || details.some(({ code }) => code === 'erased'))
  if (isGone) gone.add(id)
  return isGone
}
