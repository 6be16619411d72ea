import { expect } from 'chai'
import { allDocuments, countOf, expectSameDocuments } from '../support/documents.ts'
import { startTestService, type Tenant, type TestService } from '../support/service.ts'
import { waitUntilSettled } from '../support/settled.ts'

const WRITERS = 6
const REBUILDS = 4
/** An answer that takes longer than this has waited for something that never happened. */
const PATIENCE_MS = 1500

/** Creates and reads tagged contacts one after the other, and sometimes removes a tag. */
const writer = async (tenant: Tenant, number: number, goOn: () => boolean): Promise<number> => {
  const { api, workspaceId } = tenant
  const contacts = `/workspaces/${workspaceId}/contacts`
  let made = 0
  for (; goOn(); made++) {
    const begun = performance.now()
    const tag = await api.post(`${contacts}/tags`, { contacts_tag: { name: `Tag ${number}-${made}` } })
    const contact = { email_address: `c${number}-${made}@example.com`, tag_ids: [tag.body.id] }
    const answer = await api.post(contacts, { contact })
    expect(answer.status).to.equal(201)
    expect(answer.headers.get('millrace-read-side'), 'read side').to.equal(null)
    const shown = await api.get(`/contacts/${answer.body.id}`)
    expect(shown.body).to.deep.equal(answer.body)
    if (made % 2 === 0) expect((await api.delete(`/contacts/tags/${tag.body.id}`)).status).to.equal(204)
    expect(performance.now() - begun).to.be.lessThan(4 * PATIENCE_MS)
  }
  return made
}

describe('read models built anew while requests come in', () => {
  let service: TestService
  before(async () => {
    service = await startTestService()
  })

  it('show every write at once, and are those that the log gives', async () => {
    const tenant = await service.tenant()
    let rebuilding = true
    const goOn = () => rebuilding
    const writers = Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(tenant, number, goOn)))
    for (let round = 0; round < REBUILDS; round++) {
      await new Promise((go) => setTimeout(go, 100))
      const { events } = await Promise.race([service.background.rebuild(() => {}), writers.then(() => ({ events: 0 }))])
      expect(events).to.be.greaterThan(0)
    }
    rebuilding = false
    const made = (await writers).reduce((sum, one) => sum + one, 0)
    expect(made).to.be.greaterThan(WRITERS)
    await waitUntilSettled(service)
    const { readModels } = service.background.stores
    const live = await allDocuments(readModels.live)
    await service.background.rebuild(() => {})
    expectSameDocuments(await allDocuments(readModels.live), live)
    expect(countOf(live)).to.be.greaterThan(2 * made)
    const untagged = [...live.get('contact')!.values()].filter(({ tag_ids }) => (tag_ids as number[]).length === 0)
    expect(untagged.length).to.be.within(made / 2 - WRITERS, made / 2 + WRITERS)
  })
})
