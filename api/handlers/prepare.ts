import type { Ask } from '../../domain/kernel/decide/ask.ts'
import { desk } from '../../domain/kernel/engine/desk.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { WriteInput, WriteOperation } from '../../domain/resources/operation.ts'
import type { Service } from '../service.ts'
import type { ApiRequest } from './request.ts'

/** Carries out what a write needs first. @returns its input with what came of that, or why it is refused */
export const prepare = async (
  service: Service,
  { caller: { teamId }, requestId: cause }: ApiRequest,
  operation: WriteOperation,
  input: WriteInput,
): Promise<WriteInput | Refusal> => {
  if (!operation.prepare) return input
  const { at, actor, owner, document } = input
  const workspaceId = (document ?? owner)?.workspace_id
  const carryOut = async (ask: Ask): Promise<Refusal | undefined> => {
    const place = { teamId, workspaceId: typeof workspaceId === 'number' ? workspaceId : undefined }
    const result = await desk(service)({ actor, at, cause, ...place }, ask)
    return result instanceof Refusal ? result : undefined
  }
  const prepared = await operation.prepare(input, carryOut)
  return prepared instanceof Refusal ? prepared : { ...input, fields: { ...input.fields, ...prepared } }
}
