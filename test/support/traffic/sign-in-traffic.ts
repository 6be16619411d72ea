import { type Credentials, credential, credentials } from '../../../domain/account/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import type { Tenant, TestService } from '../service.ts'
import { executeCommand, idOrThrow } from './discounts.ts'

/** The owner of a team gets in by a link, changes the password and sets it anew, signs out, and is reset by the operator. */
export const signInTraffic = async (tenant: Tenant, service: TestService): Promise<void> => {
  const act = executeCommand(service, tenant)
  const { core, stores } = service.background
  const [owner] = await stores.readModels.live.find('membership', { where: { team_id: tenant.teamId } })
  const id = Number(owner?.user_id)
  const held = async (): Promise<Credentials> => (await core.engine.records(credentials, id, -1)).root(credential)!
  idOrThrow(await act(ask(credentials, id, 'create', { user_id: id }, { isNew: true })))
  idOrThrow(await act(ask(credentials, id, 'issueLink', { purpose: 'first', to: null })))
  const { generation, link_count: number } = await held()
  idOrThrow(
    await act(ask(credentials, id, 'signIn', { digest: 'first', browser: 'Firefox on Linux', generation, number })),
  )
  const change = {
    former_digest: 'first',
    digest: 'second',
    password: 'digest of a password',
    generation,
    disconnects: [1_000_000],
  }
  idOrThrow(await act(ask(credentials, id, 'changePassword', change)))
  idOrThrow(await act(ask(credentials, id, 'signOut', { digest: 'second' })))
  idOrThrow(await act(ask(credentials, id, 'askLink', { purpose: 'reset', to: '/account' })))
  const reset = { password: 'digest of another password', number: (await held()).link_count }
  idOrThrow(await act(ask(credentials, id, 'resetPassword', reset)))
  idOrThrow(await act(ask(credentials, id, 'resetAccess', {})))
}
