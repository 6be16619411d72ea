import { expect } from 'chai'
import { type Tenant, testService } from '../../support/service.ts'

const BOX = { package_type: 'box', height: 1, width: 2, length: 3, distance_unit: 'in', name: 'Box' }

interface Package {
  readonly id: number
  readonly default_package: boolean
  readonly updated_at: string
}

describe('the default package of a workspace', () => {
  let tenant: Tenant
  let packages: string
  beforeEach(async () => {
    tenant = await (await testService()).tenant()
    packages = `/workspaces/${tenant.workspaceId}/shipping/packages`
  })

  const post = (fields: object, options = {}) =>
    tenant.api.post(packages, { shipping_package: { ...BOX, ...fields } }, options)
  const made = async (fields: object = {}): Promise<Package> => {
    const { status, body } = await post(fields)
    expect(status, JSON.stringify(body)).to.equal(201)
    return body
  }
  const change = (id: number, fields: object, options = {}) =>
    tenant.api.put(`/shipping/packages/${id}`, { shipping_package: fields }, options)
  const defaults = async (): Promise<readonly number[]> => {
    const { body } = await tenant.api.get(packages)
    return body.filter((one: Package) => one.default_package).map(({ id }: Package) => id)
  }

  it('moves to the package that is made or changed to be it', async () => {
    const first = await made({ default_package: true })
    expect(first.default_package).to.equal(true)
    const second = await made({ default_package: true })
    expect(second.default_package).to.equal(true)
    expect(await defaults()).to.deep.equal([second.id])
    const third = await made()
    expect(third.default_package).to.equal(false)
    expect(await defaults()).to.deep.equal([second.id])
    const { status, body } = await change(third.id, { default_package: true, name: 'Crate' })
    expect([status, body.default_package, body.name]).to.deep.equal([200, true, 'Crate'])
    expect(await defaults()).to.deep.equal([third.id])
    expect((await change(third.id, { default_package: true })).body).to.deep.equal(body)
    expect((await change(first.id, { default_package: true })).body.default_package).to.equal(true)
    expect(await defaults()).to.deep.equal([first.id])
  })

  it('can be given up, and is free again when its package is removed', async () => {
    const first = await made({ default_package: true })
    await change(first.id, { default_package: false })
    expect(await defaults()).to.deep.equal([])
    const second = await made({ default_package: true })
    await tenant.api.delete(`/shipping/packages/${second.id}`)
    expect(await defaults()).to.deep.equal([])
    expect((await change(first.id, { default_package: true })).body.default_package).to.equal(true)
  })

  it('stays where it is when the request that asks for it is refused', async () => {
    const first = await made({ default_package: true })
    const second = await made()
    expect((await change(second.id, { default_package: true, name: '' })).status).to.equal(422)
    expect((await post({ default_package: true, name: '' })).status).to.equal(422)
    const stale = { headers: { 'if-match': '"17"' } }
    expect((await change(second.id, { default_package: true }, stale)).status).to.equal(412)
    expect(await defaults()).to.deep.equal([first.id])
  })

  it('is moved once by a request that is repeated under its key', async () => {
    const former = await made({ default_package: true })
    const key = { headers: { 'idempotency-key': 'move' } }
    const created = await post({ default_package: true }, key)
    expect((await post({ default_package: true }, key)).body).to.deep.equal(created.body)
    expect(created.body.default_package).to.equal(true)
    const back = { headers: { 'idempotency-key': 'back' } }
    const changed = await change(former.id, { default_package: true }, back)
    expect((await change(created.body.id, { default_package: true })).status).to.equal(200)
    expect((await change(former.id, { default_package: true }, back)).body).to.deep.equal(changed.body)
    expect(await defaults()).to.deep.equal([created.body.id])
  })

  it('is one at every moment, whatever comes at once', async () => {
    await made({ default_package: true })
    const others = await Promise.all(Array.from({ length: 4 }, () => made()))
    let isOver = false
    const seen = (async () => {
      let most = 0
      while (!isOver) most = Math.max(most, (await defaults()).length)
      return most
    })()
    const answers = await Promise.all([
      ...others.flatMap(({ id }) => [change(id, { default_package: true }), change(id, { default_package: true })]),
      ...Array.from({ length: 4 }, () => post({ default_package: true })),
    ])
    isOver = true
    expect(answers.map(({ status }) => status)).to.deep.equal([...Array(8).fill(200), ...Array(4).fill(201)])
    expect(await seen).to.be.at.most(1)
    expect(await defaults()).to.have.length(1)
  })

  it('is the one that it was at a former time', async () => {
    const first = await made({ default_package: true })
    const { body } = await post({ default_package: true })
    const past = async (id: number, at: string) =>
      (await tenant.api.get(`/shipping/packages/${id}?as_of=${at}`)).body.default_package
    expect(await past(first.id, first.updated_at)).to.equal(true)
    expect(await past(first.id, body.updated_at)).to.equal(false)
    expect(await past(body.id, body.updated_at)).to.equal(true)
  })

  it('is read and sent back by every package without moving', async () => {
    const all = [await made({ default_package: true }), await made({ default_package: true }), await made()]
    for (const { id } of all) {
      const read = (await tenant.api.get(`/shipping/packages/${id}`)).body
      expect((await change(id, read)).body.default_package).to.equal(read.default_package)
    }
    expect(await defaults()).to.deep.equal([all[1]!.id])
  })
})
