import { contacts } from '../../../domain/contacts/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { ok } from '../client.ts'
import { callOf, random, sdkFunnel, submitOf, visit } from '../sdk-pages.ts'
import type { Tenant, TestService } from '../service.ts'
import { executeCommand, idOrThrow } from './discounts.ts'

/** A visitor comes, opts in, goes on to the next page, and is erased. */
export const visitTraffic = async (tenant: Tenant, service: TestService): Promise<void> => {
  const host = random().toLowerCase().replaceAll('_', '-')
  const { pages } = await sdkFunnel(tenant, [`https://a.example/${host}`, `https://b.example/${host}`])
  const [first, second] = [pages[0]!, pages[1]!]
  const call = callOf(service)
  const { session } = (await call('/visits', first, visit({ search: '?utm_source=mail' }))).body
  const { nonce } = (await call('/nonce', first, { session })).body
  const email = 'visitor.life@example.com'
  const sent = await submitOf(service)(first, { nonce, session }, [['email', email]])
  const between = await fetch(sent.location!)
  const ticket = between.headers.get('refresh')!.split('cf_ticket=')[1]!
  await call('/trade', second, { ticket, key: random() })
  await service.caughtUp()
  const query = `filter[email_address]=${encodeURIComponent(email)}`
  const [contact] = ok(
    await tenant.api.get(`/workspaces/${tenant.workspaceId}/contacts?${query}`),
  ) as unknown as readonly { readonly id: number }[]
  ok(await tenant.api.delete(`/contacts/${contact!.id}/gdpr_destroy`))
}

/** A visitor opts in on a page that asks for a confirmation, and confirms it. */
export const optInTraffic = async (tenant: Tenant, service: TestService): Promise<void> => {
  const host = random().toLowerCase().replaceAll('_', '-')
  const { pages } = await sdkFunnel(tenant, [`https://c.example/${host}`])
  const page = pages[0]!
  ok(await tenant.api.put(`/pages/${page.id}/opt_in`, { opt_in: { double: true } }))
  await service.caughtUp()
  const { nonce } = (await callOf(service)('/nonce', page, {})).body
  const email = 'confirming.life@example.com'
  await submitOf(service)(page, { nonce }, [['email', email]])
  await service.caughtUp()
  const query = `filter[email_address]=${encodeURIComponent(email)}`
  const path = `/workspaces/${tenant.workspaceId}/contacts?${query}`
  const [contact] = ok(await tenant.api.get(path)) as unknown as readonly { readonly id: number }[]
  idOrThrow(await executeCommand(service, tenant)(ask(contacts, contact!.id, 'confirm', {})))
}
