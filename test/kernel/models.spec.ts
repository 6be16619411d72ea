import { expect } from 'chai'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { installation, orderResource, orders } from './family.ts'

const ADA = 900
const BOB = 901
const placed = { contact_id: ADA, title: 'One', remark: 'for my mother', greeting: 'Dear Ada' }

describe('a model', () => {
  let here: Awaited<ReturnType<typeof installation>>
  beforeEach(async () => {
    here = await installation()
  })
  afterEach(() => here.close())

  describe('whose personal data belongs to a person with another stream', () => {
    it('seals it under that person, in the log and in the document', async () => {
      await here.ask('create', 1, placed)
      const [event] = await here.events()
      expect(event?.metadata.of).to.equal(ADA)
      expect(event?.data.personal).to.be.a('string')
      expect(await here.vault.open(ADA, String(event?.data.personal))).to.deep.equal({
        remark: 'for my mother',
        greeting: 'Dear Ada',
      })
      expect((await here.stored(1))?.personal).to.be.a('string')
      expect((await here.document(1))?.personal).to.include({ remark: 'for my mother' })
    })

    it('repeats all personal data when a part of it changes', async () => {
      await here.ask('create', 1, placed)
      await here.ask('change', 1, { remark: 'for my father' })
      expect((await here.document(1))?.personal).to.deep.equal({ remark: 'for my father', greeting: 'Dear Ada' })
    })

    it('reseals all of it for another person', async () => {
      await here.ask('create', 1, placed)
      await here.ask('change', 1, { contact_id: BOB })
      const last = (await here.events()).findLast(({ data }) => 'personal' in data)
      expect(last?.metadata.of).to.equal(BOB)
      await here.vault.destroy(ADA)
      expect((await here.document(1))?.personal).to.deep.equal({ remark: 'for my mother', greeting: 'Dear Ada' })
    })

    it('is erased with that person, from decisions, documents and history alike', async () => {
      await here.ask('create', 1, placed)
      await here.vault.destroy(ADA)
      here.engine.clearCache()
      expect((await here.document(1))?.personal).to.equal(null)
      const past = await here.history.document(orderResource, 1, { at: '2026-03-01T09:00:00.000Z' })
      expect(past).to.deep.include({ title: 'One', personal: null })
      await here.ask('change', 1, { title: 'Two' })
      expect(await here.document(1)).to.deep.include({ title: 'Two', personal: null })
    })
  })

  describe('of a later version', () => {
    const old = { contact_id: ADA, name: 'Old', order_number: 3, personal: { note: 'old words' } }

    it('folds what former versions wrote, sealed parts included', async () => {
      await here.wrote('test/order-5', 'OrderPlaced', old, ADA)
      const document = await here.document(5)
      expect(document).to.include({ title: 'Old', order_number: 3 })
      expect(document?.personal).to.deep.equal({ remark: 'old words', greeting: null })
      await here.ask('change', 5, { remark: 'new words' })
      expect((await here.document(5))?.personal).to.deep.equal({ remark: 'new words', greeting: null })
    })

    it('shows the default of an attribute that came later', async () => {
      await here.wrote('test/order-5', 'OrderPlaced', old, ADA)
      expect(await here.document(5)).to.include({ urgent: false })
      const { urgent: _, ...before } = (await here.stored(5))!
      const load = { seesPersonalData: true } as never
      const body = await orderResource.view.present({ ...before, personal: null } as never, load, new Set())
      expect(body).to.include({ urgent: false })
    })

    it('executes commands that former versions stored in the log', () => {
      const kept = { type: 'Rename', name: 'Two', at: 'then', actor: { label: 'key:1' } }
      expect(orders.bringForward?.(kept as never, 5)).to.deep.equal({
        type: 'change',
        wanted: { title: 'Two' },
        id: 5,
        at: 'then',
        actor: { label: 'key:1' },
      })
    })
  })

  it('refuses to be created without a required field, and names it', async () => {
    const refusal = await here.ask('create', 1, { contact_id: ADA }).catch((error: unknown) => error)
    expect(refusal).to.be.instanceOf(Refusal)
    expect(refusal).to.include({ kind: 'invalid', message: "Title can't be blank" })
    expect(await here.events()).to.deep.equal([])
  })

  it('numbers its records, never twice and without gaps, with 64 in flight and refusals among them', async () => {
    const titles = Array.from({ length: 64 }, (_, n) => `Order ${n % 8 === 7 ? 0 : n}`)
    const results = await Promise.allSettled(
      titles.map((title, n) => here.ask('create', n + 1, { contact_id: ADA, title })),
    )
    const made = results.filter(({ status }) => status === 'fulfilled').length
    expect(made).to.equal(56)
    const numbers = (await here.events()).map(({ data }) => data.order_number)
    expect(numbers.sort((a, b) => Number(a) - Number(b))).to.deep.equal(Array.from({ length: 56 }, (_, n) => n + 1))
    expect((await here.document(1))?.order_number).to.equal((await here.events())[0]?.data.order_number)
  })

  it('numbers them by workspace, also where a command names none', async () => {
    for (const workspaceId of [1, 2, 1]) {
      const id = (await here.events()).length + 1
      const wanted = { contact_id: ADA, title: `Order ${id}` }
      const command = { type: 'create', id, wanted, at: '2026-03-01T09:00:00.000Z', actor: { label: 'test' } }
      const causes = { causationId: `cause ${id}`, correlationId: 'c' }
      await here.engine.transact({ aggregate: orders, id, command, isNew: true, workspaceId, ...causes })
    }
    const numbers = (await here.events()).map(({ data, metadata }) => [metadata.workspace_id, data.order_number])
    expect(numbers).to.deep.equal([
      ...[
        [1, 1],
        [2, 1],
        [1, 2],
      ],
    ])
  })

  it('serialises the writers of one record, without conflicts', async () => {
    await here.ask('create', 1, placed)
    const titles = Array.from({ length: 100 }, (_, n) => `Title ${n}`)
    await Promise.all(titles.map((title) => here.ask('change', 1, { title })))
    expect(await here.events()).to.have.length(101)
  })
})
