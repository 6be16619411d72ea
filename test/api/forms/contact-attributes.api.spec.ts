import { expect } from 'chai'
import { admitAttributes, formOfContacts, readPageForm } from '../../../domain/forms/public.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('custom attributes of contacts over REST', () => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await testService()
  })
  beforeEach(async () => {
    tenant = await service.tenant()
  })

  const form = () => formOfContacts(tenant.workspaceId)
  const create = async (custom_attributes: object) => {
    const { status } = await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, {
      contact: { first_name: 'Ada', custom_attributes },
    })
    expect(status).to.equal(201)
  }
  const fields = async () => {
    const { status, body: sets } = await tenant.api.get(`/forms/${form()}/field_sets`)
    if (status === 404 || sets.length === 0) return []
    expect(sets.length).to.equal(1)
    const path = `/forms/field_sets/${sets[0].id}/fields`
    const pages = [await tenant.api.get(path), await tenant.api.get(`${path}?sort_order=desc`)]
    return [...new Set(pages.flatMap(({ body }) => body.map(({ key }: { key: string }) => key)))].sort() as string[]
  }
  const until = async (keys: readonly string[]) => {
    for (let tries = 0; tries < 500; tries++) {
      if ((await fields()).length >= keys.length) break
      await new Promise((go) => setTimeout(go, 10))
    }
    expect(await fields()).to.deep.equal([...keys].sort())
  }

  it('are the fields of one form, each once, however many contacts bring them at once', async () => {
    const keys = ['color', 'size', 'shape', 'favourite_engine']
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => create({ [keys[n % 3]!]: `${n}`, 'Favourite engine': `${n}` })),
    )
    await until(keys)
    const { body } = await tenant.api.get(`/workspaces/${tenant.workspaceId}/forms`)
    expect(body.map(({ id, name }: { id: number; name: string }) => [id, name])).to.deep.equal([
      [form(), 'Contact attributes'],
    ])
    await create({ color: 'red', weight: '3' })
    await until([...keys, 'weight'])
  })

  it('bring about no form where contacts have none', async () => {
    await create({})
    await recordMakers.form!.make(tenant)
    const { body } = await tenant.api.get(`/workspaces/${tenant.workspaceId}/forms`)
    expect(body.map(({ name }: { name: string }) => name)).not.to.include('Contact attributes')
  })

  it('stay fields: the form cannot be removed, and a key is not changed', async () => {
    await create({ color: 'red' })
    await until(['color'])
    const removed = await tenant.api.delete(`/forms/${form()}`)
    expect([removed.status, removed.body.details[0].code]).to.deep.equal([422, 'reserved'])
    const [set] = (await tenant.api.get(`/forms/${form()}/field_sets`)).body
    const [field] = (await tenant.api.get(`/forms/field_sets/${set.id}/fields`)).body
    const renamed = await tenant.api.put(`/forms/fields/${field.id}`, { forms_field: { key: 'colour' } })
    expect([renamed.status, renamed.body.details[0].field]).to.deep.equal([422, 'forms_field.key'])
  })

  it('case 71: are made up by visitors of a page at most twenty times a day, also at the same moment', async () => {
    const page = await recordMakers.page!.make(tenant)
    const { engine, ids } = service.background.core
    const { workspaceId, carryOut } = tenant
    const admit = (...keys: readonly string[]) =>
      admitAttributes(
        { engine, ids, transact: carryOut! },
        { workspaceId, pageId: page, sent: readPageForm(keys.map((key) => [`custom-attribute:${key}`, 'x'] as const)) },
      )
    const forms = await Promise.all(
      Array.from({ length: 6 }, (_, form) => admit(...Array.from({ length: 5 }, (__, n) => `Key ${form} ${n}`))),
    )
    const admitted = forms.flatMap(({ attributes }) => [...attributes.keys()])
    expect(admitted.length).to.equal(20)
    expect(forms.reduce((sum, { dropped }) => sum + dropped, 0)).to.equal(10)
    expect((await fields()).length).to.equal(20)
    const again = await admit('New one', admitted[0]!)
    expect([[...again.attributes.keys()], again.dropped]).to.deep.equal([[admitted[0]], 1])
  })
})
