import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { readConfig } from '../../infra/config.ts'
import { createCore } from '../../infra/runtime/core.ts'
import { openStores } from '../../infra/runtime/stores.ts'
import { isAcknowledged, type Ledger, send, type Target } from '../reliability/ledger.ts'
import { allDocuments, countOf, expectSameDocuments } from '../support/documents.ts'
import type { Receiver } from '../support/servers/receiver.ts'
import { temporaryFolder } from './node.ts'
import type { Processes } from './processes.ts'

const PATIENCE_MS = 120_000
const QUIET_MS = 3000

/** An endpoint that is told of every contact that is made. */
export const listenForContacts = async (target: Target, receiver: Receiver): Promise<void> => {
  const endpoint = { url: receiver.url, name: 'All', event_type_ids: ['$contact.created'] }
  const path = `/workspaces/${target.workspaceId}/webhooks/outgoing/endpoints`
  const made = await send(target, 'POST', path, { body: { webhooks_outgoing_endpoint: endpoint } })
  expect(made?.status, JSON.stringify(made?.body)).to.equal(201)
}

/** Ids of the contacts that webhooks told of, with the ids under which they did. */
const toldOf = ({ received }: Receiver): ReadonlyMap<number, ReadonlySet<string>> => {
  const told = new Map<number, Set<string>>()
  for (const { json, headers } of received) {
    const id = Number(json.data.id)
    told.set(id, (told.get(id) ?? new Set()).add(String(headers['webhook-id'])))
  }
  return told
}

/** Each acknowledged contact is told of, and all that tells of it bears one id. @returns deliveries that came again */
export const expectTold = async (ledger: Ledger, receiver: Receiver): Promise<number> => {
  const wanted = ledger.filter(isAcknowledged).filter(({ kind }) => kind === 'contact')
  const untold = () => {
    const told = toldOf(receiver)
    return wanted.filter(({ id }) => !told.has(id))
  }
  for (const begun = Date.now(); untold().length > 0; await sleep(100)) {
    if (Date.now() - begun < PATIENCE_MS) continue
    const missing = untold().map(({ mark }) => mark)
    throw new Error(`no webhook came for ${missing.length} of ${wanted.length} contacts: ${missing.slice(0, 20)}`)
  }
  await sleep(QUIET_MS)
  const twice = [...toldOf(receiver)].filter(([, ids]) => ids.size > 1)
  expect(twice, 'contacts told of under several ids').to.deep.equal([])
  return receiver.received.length - toldOf(receiver).size
}

/** Waits until a contact that was acknowledged last can be found in a list. */
export const untilListed = async (target: Target, ledger: Ledger): Promise<void> => {
  const last = ledger.filter(isAcknowledged).findLast(({ kind }) => kind === 'contact')!
  const { email_address } = (last.body as { contact: { email_address: string } }).contact
  const path = `/workspaces/${target.workspaceId}/contacts?filter[email_address]=${email_address}`
  for (const begun = Date.now(); ; await sleep(100)) {
    const page = await send(target, 'GET', path)
    if (page?.status === 200 && page.body.length === 1) return
    if (Date.now() - begun > PATIENCE_MS) throw new Error(`${last.mark} is not listed: ${JSON.stringify(page)}`)
  }
}

/** Stops the processes, and holds what they have left against what a rebuild gives, and each stream against its revisions. @returns events in the log */
export const expectSoundLog = async (processes: Processes): Promise<number> => {
  await processes.rest()
  const stores = await openStores(readConfig({ ...processes.settings, MILLRACE_DATA: temporaryFolder('verify') }))
  try {
    const before = await allDocuments(stores.readModels.live)
    expect(countOf(before)).to.be.greaterThan(0)
    const revisions = new Map<string, number>()
    const ids = new Set<string>()
    let count = 0
    for await (const { id, stream, revision } of stores.log.readAll()) {
      expect(revision, stream).to.equal((revisions.get(stream) ?? -1) + 1)
      revisions.set(stream, revision)
      ids.add(id)
      count++
    }
    expect(ids.size, 'ids of events').to.equal(count)
    await (await createCore(stores)).rebuild()
    expectSameDocuments(await allDocuments(stores.readModels.live), before)
    return count
  } finally {
    await stores.close()
  }
}
