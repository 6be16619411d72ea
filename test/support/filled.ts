import { randomUUID } from 'node:crypto'
import { cp, rm } from 'node:fs/promises'
import { contacts } from '../../domain/contacts/contact/rules.ts'
import type { Decider } from '../../domain/kernel/decide/decider.ts'
import type { RecordCommand } from '../../domain/kernel/decide/rules.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { endpoints } from '../../domain/webhooks/endpoint/rules.ts'
import { type Role, readConfig } from '../../infra/config.ts'
import { outboundClient } from '../../infra/outbound/client.ts'
import { type Background, startBackground } from '../../infra/runtime/background.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { openStores } from '../../infra/stores/open.ts'
import { nextId } from './next-id.ts'

const actor = { label: 'test' }

export interface FilledStores {
  readonly teamId: number
  readonly workspaceId: number
}

/** Starts a service without listeners in this process. It has workers only if they are among the roles. */
export const openBackground = async (data: string, roles: readonly Role[] = ['projector']): Promise<Background> => {
  const stores = await openStores(readConfig({ MILLRACE_DATA: data }))
  const fail = (error: unknown) => {
    throw error
  }
  return startBackground(stores, createLogger('fatal'), fail, roles, outboundClient({ allowPrivate: true }))
}

/**
 * Fills a data directory for other processes. They get a copy: this process may hold closed handles until garbage collection, and then
 * does to the files what the last connection to close does.
 */
export const filling = async (data: string, fill: (background: Background) => Promise<unknown>): Promise<void> => {
  const original = `${data}.filled`
  const background = await openBackground(original)
  await fill(background)
  await background.stop()
  await cp(original, data, { recursive: true, filter: (file) => !file.includes('.sock') })
  await rm(original, { recursive: true, force: true })
}

/** Writes straight to the log, into a new workspace, as fast as the log accepts it. */
export const writer = async (background: Background) => {
  const { accounts } = background
  const owner = { email: 'owner@example.com', firstName: 'Olive', lastName: 'Owner' }
  const teamId = await accounts.foundTeam({ name: 'Filled', owner })
  const workspaceId = await accounts.openWorkspace(teamId, { name: 'Filled', subdomain: 'filled', currency: 'USD' })
  return writerInto(background, { teamId, workspaceId })
}

/** Writes straight to the log, into an existing workspace. */
export const writerInto = (background: Background, place: FilledStores) => {
  const { accounts, core } = background
  const transact = async (aggregate: Decider, id: number, command: RecordCommand): Promise<number> => {
    const cause = `test-${randomUUID()}`
    const causes = { causationId: cause, correlationId: cause }
    const result = await core.engine.transact({ aggregate, id, command, ...place, ...causes })
    if (result instanceof Refusal) throw result
    return 'position' in result ? result.position : -1
  }
  const stamp = () => ({ at: new Date().toISOString(), actor })

  return {
    ...place,
    async endpoint(url: string, eventTypeIds: readonly string[]): Promise<number> {
      const id = await nextId(core.ids, { name: 'webhooks/outgoing/endpoint' })
      const wanted = { url, name: 'Test', event_type_ids: eventTypeIds, nonce: `nonce-${id}` }
      const position = await transact(endpoints, id, { type: 'create', id, wanted, ...stamp() })
      await background.reached(position, 10_000)
      return id
    },
    async contact(name: string, more: { readonly email_address?: string } = {}): Promise<number> {
      const id = await nextId(core.ids, { name: 'contact' })
      const uuid = `00000000-0000-4000-8000-${String(id % 1e12).padStart(12, '0')}`
      await transact(contacts, id, { type: 'create', id, wanted: { uuid, first_name: name, ...more }, ...stamp() })
      return id
    },
    async rename(id: number, name: string): Promise<void> {
      await transact(contacts, id, { type: 'change', id, wanted: { first_name: name }, ...stamp() })
    },
    issueKey: () => accounts.issueKey({ ...place, scopes: ['read', 'write'], label: 'test' }),
  }
}
