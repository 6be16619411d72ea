import { CLOCK_ADVANCES } from '../../domain/account/public.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { Service } from '../service.ts'

const workspaceOf = (place: Document | undefined): number | undefined =>
  typeof place?.workspace_id === 'number' ? place.workspace_id : undefined

/** The time at a record, by the clock of its workspace; ISO 8601. */
export const timeFor = (service: Service, place: Document | undefined): string =>
  new Date(service.now(workspaceOf(place))).toISOString()

/** Whether the clock of the record's workspace is being advanced. Asked before the time is: it is as others have moved it from then on. */
export const isClockMoving = (service: Service, place: Document | undefined): MaybePromise<boolean> => {
  const workspaceId = workspaceOf(place)
  return workspaceId !== undefined && service.advances(workspaceId, place?.test === true)
}

/** @throws {Refusal} conflict, while the clock of the record's workspace is being advanced */
export const checkClock = async (service: Service, place: Document | undefined): Promise<void> => {
  if (await isClockMoving(service, place)) throw refuse.conflict(CLOCK_ADVANCES)
}
