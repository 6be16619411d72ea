import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { readConfig } from '../../infra/config.ts'
import { createCore } from '../../infra/runtime/core.ts'
import { openStores } from '../../infra/stores/open.ts'
import { isAcknowledged, type Ledger, send, type Target } from '../reliability/ledger.ts'
import { allDocuments, countOf, expectSameDocuments } from '../support/documents.ts'
import type { Receiver } from '../support/servers/receiver.ts'
import { temporaryFolder } from './node.ts'
import type { Processes } from './processes.ts'

const PATIENCE_MS = 120_000
const QUIET_MS = 3000

/** Creates an endpoint that is notified of every new contact. */
export const listenForContacts = async (target: Target, receiver: Receiver): Promise<void> => {
  const endpoint = { url: receiver.url, name: 'All', event_type_ids: ['$contact.created'] }
  const path = `/workspaces/${target.workspaceId}/webhooks/outgoing/endpoints`
  const made = await send(target, 'POST', path, { body: { webhooks_outgoing_endpoint: endpoint } })
  expect(made?.status, JSON.stringify(made?.body)).to.equal(201)
}

/** Ids of the contacts in received webhooks, with the ids of these webhooks. */
const webhookIdsByContact = ({ received }: Receiver): ReadonlyMap<number, ReadonlySet<string>> => {
  const idsByContact = new Map<number, Set<string>>()
  for (const { json, headers } of received) {
    const id = Number(json.data.id)
    idsByContact.set(id, (idsByContact.get(id) ?? new Set()).add(String(headers['webhook-id'])))
  }
  return idsByContact
}

/** Expects a webhook for each acknowledged contact, always with the same id. @returns the number of repeated deliveries */
export const expectTold = async (ledger: Ledger, receiver: Receiver): Promise<number> => {
  const wanted = ledger.filter(isAcknowledged).filter(({ kind }) => kind === 'contact')
  const withoutWebhook = () => {
    const idsByContact = webhookIdsByContact(receiver)
    return wanted.filter(({ id }) => !idsByContact.has(id))
  }
  for (const begun = Date.now(); withoutWebhook().length > 0; await sleep(100)) {
    if (Date.now() - begun < PATIENCE_MS) continue
    const missing = withoutWebhook().map(({ mark }) => mark)
    throw new Error(`no webhook came for ${missing.length} of ${wanted.length} contacts: ${missing.slice(0, 20)}`)
  }
  await sleep(QUIET_MS)
  const twice = [...webhookIdsByContact(receiver)].filter(([, ids]) => ids.size > 1)
  expect(twice, 'contacts told of under several ids').to.deep.equal([])
  return receiver.received.length - webhookIdsByContact(receiver).size
}

/** Waits until a list shows the last acknowledged contact. */
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

/** Stops the processes. Compares their documents with a rebuild, and checks the revisions of each stream. @returns the number of events in the log */
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
