import { expect } from 'chai'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { installation, orderResource, orders, WORKSPACE } from './family.ts'

type Installation = Awaited<ReturnType<typeof installation>>

const NINE = '2026-03-01T09:00:00.000Z'
const TEN = '2026-03-01T10:00:00.000Z'
const ELEVEN = '2026-03-01T11:00:00.000Z'

describe('the time of an event', () => {
  let current: Installation
  beforeEach(async () => {
    current = await installation()
  })
  afterEach(() => current.close())

  const change = async (title: string, at: string, clearCache = false, type = 'change') => {
    const { engine } = current
    if (clearCache) engine.clearCache()
    const wanted = type === 'create' ? { contact_id: 5, title, remark: null, greeting: null } : { title }
    const command = { type, id: 1, wanted, workspaceId: WORKSPACE, at, actor: { label: 'test' } }
    const causes = { causationId: `cause ${title}`, correlationId: 'c' }
    const result = await engine.transact({ aggregate: orders, id: 1, command, workspaceId: WORKSPACE, ...causes })
    if (result instanceof Refusal) throw result
  }
  const times = async () => (await current.events()).map(({ metadata }) => metadata.at)

  it('is never before that of the event before it in its stream, when a clock goes back', async () => {
    await change('a', TEN, false, 'create')
    await change('b', NINE)
    await change('c', NINE, true)
    await change('d', ELEVEN)
    await change('e', TEN, true)
    expect(await times()).to.deep.equal([TEN, TEN, TEN, ELEVEN, ELEVEN])
    expect((await current.document(1))?.updated_at).to.equal(ELEVEN)
    const past = await current.history.document(orderResource, 1, { at: TEN })
    expect(past?.title, 'a record as it was has all events up to its time').to.equal('c')
  })

  it('does not depend on other streams', async () => {
    await current.ask('create', 2, { contact_id: 5, title: 'other', remark: null, greeting: null })
    await change('a', '2026-01-01T00:00:00.000Z', false, 'create')
    expect((await times()).at(-1)).to.equal('2026-01-01T00:00:00.000Z')
  })
})
