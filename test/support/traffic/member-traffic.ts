import { enrollment } from '../../../domain/courses/enrollment/model.ts'
import { enrollments } from '../../../domain/courses/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { accounts } from '../../../domain/members/public.ts'
import { recordMakers } from '../records.ts'
import type { Tenant, TestService } from '../service.ts'
import { executeCommand, idOrThrow } from './discounts.ts'

/** A contact signs in by a link, signs out and in again, has a lesson shown, and gets another address. */
export const memberTraffic = async (tenant: Tenant, service: TestService): Promise<void> => {
  const act = executeCommand(service, tenant)
  const contact_id = await recordMakers.contact!.make(tenant)
  const id = idOrThrow(await act(ask(accounts, 'new', 'create', { contact_id, to: '/members/courses/1' })))
  idOrThrow(await act(ask(accounts, id, 'signIn', { number: 1, digest: 'digest of the first' })))
  idOrThrow(await act(ask(accounts, id, 'signOut', { digest: 'digest of the first' })))
  idOrThrow(await act(ask(accounts, id, 'askLink', { to: null })))
  idOrThrow(await act(ask(accounts, id, 'revoke', {})))
  const enrollmentId = await recordMakers[enrollment.name]!.make(tenant)
  const lesson_id = await recordMakers['courses/lesson']!.make(tenant)
  idOrThrow(await act(ask(enrollments, enrollmentId, 'viewLesson', { lesson_id })))
}
