import { expect } from 'chai'
import { contacts as decider } from '../../domain/contacts/contact/rules.ts'
import { testService } from '../support/service.ts'

describe('erasure', () => {
  it('destroys the key of a person although the request that erased it was cut off before', async () => {
    const { background, tenant } = await testService()
    const { api, workspaceId } = await tenant()
    const contacts = `/workspaces/${workspaceId}/contacts`
    const { id } = (await api.post(contacts, { contact: { email_address: 'cut-off@example.com' } })).body
    const { core, stores } = background
    let sealed = ''
    for await (const event of stores.log.readStream(`contact-${id}`, { limit: 1 })) sealed = String(event.data.personal)
    expect(await stores.vault.open(id, sealed)).to.include({ email_address: 'cut-off@example.com' })

    const command = {
      type: 'redact',
      id,
      wanted: { redacted_as: 'x@example.com' },
      at: new Date().toISOString(),
      actor: { label: 'test' },
    } as const
    await core.engine.transact({
      aggregate: decider,
      id,
      command,
      workspaceId,
      causationId: 'test',
      correlationId: 'test',
    })
    for (let tries = 0; tries < 200 && (await stores.vault.open(id, sealed)) !== null; tries++)
      await new Promise((go) => setTimeout(go, 10))
    expect(await stores.vault.open(id, sealed)).to.equal(null)
  })
})
