import { CLOCK_ADVANCES } from '../../domain/account/public.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { Service } from '../service.ts'

/** Returns the id of a record's workspace. */
export const workspaceOf = (record: Document | undefined): number | undefined =>
  typeof record?.workspace_id === 'number' ? record.workspace_id : undefined

/** Returns the time by the clock of a record's workspace; ISO 8601. */
export const timeFor = (service: Service, record: Document | undefined): string =>
  new Date(service.now(workspaceOf(record))).toISOString()

/** Whether the clock of the record's workspace is being advanced. Call it before `timeFor`, because it reads a clock that other processes may have moved. */
export const isClockMoving = (service: Service, record: Document | undefined): MaybePromise<boolean> => {
  const workspaceId = workspaceOf(record)
  return workspaceId !== undefined && service.advances(workspaceId, record?.test === true)
}

/** Checks the clock of a workspace. @throws {Refusal} conflict, while the clock of the record's workspace is being advanced */
export const checkClock = async (service: Service, record: Document | undefined): Promise<void> => {
  if (await isClockMoving(service, record)) throw refuse.conflict(CLOCK_ADVANCES)
}
