import { type Ask, stampCommand } from '../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { WriteInput, WriteOperation } from '../../domain/resources/operation.ts'
import type { ApiRequest } from '../request.ts'
import type { Service } from '../service.ts'

/** Carries out what a write needs first. @returns its input with what came of that, or why it is refused */
export const prepare = async (
  service: Service,
  { caller, requestId }: ApiRequest,
  operation: WriteOperation,
  input: WriteInput,
): Promise<WriteInput | Refusal> => {
  if (!operation.prepare) return input
  const { at, actor, owner, document } = input
  const workspaceId = (document ?? owner)?.workspace_id
  const carryOut = async (ask: Ask): Promise<Refusal | undefined> => {
    const result = await service.engine.transact({
      ...stampCommand(ask, { at, actor }),
      teamId: caller.teamId,
      ...(typeof workspaceId === 'number' && { workspaceId }),
      causationId: requestId,
      correlationId: requestId,
    })
    return result instanceof Refusal ? result : undefined
  }
  const prepared = await operation.prepare(input, carryOut)
  return prepared instanceof Refusal ? prepared : { ...input, fields: { ...input.fields, ...prepared } }
}
