import { type Credentials, credential, credentials } from '../../../domain/account/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import type { Tenant, TestService } from '../service.ts'
import { executeCommand, idOrThrow } from './discounts.ts'

/** The owner of a team, who has credentials, uses codes, recovery codes and a passkey, and loses all of them. */
export const secondFactorTraffic = async (tenant: Tenant, service: TestService): Promise<void> => {
  const act = executeCommand(service, tenant)
  const { core, stores } = service.background
  const [owner] = await stores.readModels.live.find('membership', { where: { team_id: tenant.teamId } })
  const id = Number(owner?.user_id)
  const held = async (): Promise<Credentials> => (await core.engine.records(credentials, id, -1)).root(credential)!
  const { generation } = await held()
  const signIn = async (digest: string, factor?: { readonly by: 'code'; readonly step: number }) =>
    idOrThrow(
      await act(ask(credentials, id, 'signIn', { digest, generation, number: null, ...(factor && { factor }) })),
    )
  const passkey = { id: 'p', public_key: 'k', transports: ['usb'], name: 'Key', counter: 1, is_synced: false }
  const used = { by: 'passkey', id: 'p', counter: 2, is_synced: false } as const
  const app = { nonce: 'nonce', step: 1, recovery_codes: ['digest one', 'digest two'] }

  await signIn('before')
  idOrThrow(await act(ask(credentials, id, 'enrollCodeApp', { ...app, former_digest: 'before', digest: 'after' })))
  await signIn('by code', { by: 'code', step: 2 })
  idOrThrow(await act(ask(credentials, id, 'addPasskey', { passkey })))
  idOrThrow(await act(ask(credentials, id, 'namePasskey', { id: 'p', name: 'Key of the office' })))
  const byPasskey = { digest: 'by passkey', generation, number: null, factor: used }
  idOrThrow(await act(ask(credentials, id, 'signIn', byPasskey)))
  const recovery = { by: 'recovery_code', digest: 'digest one' } as const
  idOrThrow(await act(ask(credentials, id, 'replaceRecoveryCodes', { factor: recovery, recovery_codes: ['digest'] })))
  idOrThrow(await act(ask(credentials, id, 'removePasskey', { id: 'p' })))
  idOrThrow(await act(ask(credentials, id, 'resetCodeApp', {})))
}
