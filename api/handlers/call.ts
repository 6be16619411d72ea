import { randomUUID } from 'node:crypto'
import { CLOCK_ADVANCES } from '../../domain/account/public.ts'
import { stampCommand } from '../../domain/kernel/decide/ask.ts'
import { mintFrom } from '../../domain/kernel/values/ids.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import { type ActionInput, type ActionOperation, actorOf } from '../../domain/resources/operation.ts'
import { createLoader } from '../../projections/loading/live-loader.ts'
import { orThrow } from '../errors.ts'
import type { ApiRequest, Reply } from '../request.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { packState } from '../state-token.ts'
import { BEHIND, READ_YOUR_WRITES_MS } from './read-your-writes.ts'
import { ownerOf, recordOf } from './record-access.ts'
import { checkedFieldsOf } from './references.ts'
import { isClockMoving, timeFor } from './workspace-clock.ts'

/** Answers with the result of an action, which may carry out commands. */
export const call = async (service: Service, route: Route, request: ApiRequest): Promise<Reply> => {
  const operation = route.operation as ActionOperation
  const { caller, requestId } = request
  const owner = await ownerOf(service, route, request)
  const document = request.params.id === undefined ? undefined : await recordOf(service, route, request, owner)
  const record = document ?? owner
  const isAdvancing = await isClockMoving(service, record)
  let headers: Reply['headers'] = {}
  const actor = actorOf(caller)
  const at = timeFor(service, record)
  const transact: ActionInput['transact'] = async (ask) => {
    if (isAdvancing) return refuse.conflict(CLOCK_ADVANCES)
    const result = await service.engine.transact({
      ...stampCommand(ask, { at, actor }),
      ...(ask.isNew && { isNew: true }),
      teamId: caller.teamId,
      ...(typeof record?.workspace_id === 'number' && { workspaceId: record.workspace_id }),
      causationId: requestId,
      correlationId: requestId,
    })
    if (result instanceof Refusal) return result
    // A decision without events may rest on those of another request, which cannot be read yet.
    const position = result.position < 0 ? await service.log.lastPosition() : result.position
    if (!(await service.progress.reached(position, READ_YOUR_WRITES_MS))) headers = BEHIND
    return undefined
  }
  const body = await operation.call({
    ...(await checkedFieldsOf(service, operation, request, record)),
    ...(owner && { owner }),
    ...(document && { document }),
    caller,
    actor,
    at,
    baseUrl: request.origin(),
    mint: mintFrom(service.ids),
    uuid: () => randomUUID(),
    parseId: (value, kind) => service.publicIds.of(kind).parse(value),
    load: createLoader(service, caller.seesPersonalData),
    vault: service.vault,
    pack: packState,
    publicId: (id, kind) => service.publicIds.of(kind).encode(id),
    transact,
    external: service.external,
  })
  const answered = orThrow(body)
  const status = operation.otherwise?.is(answered) ? 200 : operation.answers
  return { status, body: answered, headers }
}
