import { expect } from 'chai'
import { decider } from '../../domain/kernel/decide/decider.ts'
import { rules } from '../../domain/kernel/decide/rules.ts'
import { eventNamed } from '../../domain/kernel/model/event-types.ts'
import { installation, order } from './family.ts'

/** Emits an event by name, which the compiler cannot check. */
const spoiling = decider(order, {
  rules: rules(order, { acts: { spoil: () => [eventNamed(order, 'OrderSpoilt', {})] } }),
})

describe('an event that its aggregate does not declare', () => {
  let setting: Awaited<ReturnType<typeof installation>>

  beforeEach(async () => {
    setting = await installation()
  })

  afterEach(() => setting.close())

  it('is not appended: the command fails', async () => {
    await setting.ask('create', 1, { contact_id: 5, title: 'A' })
    const before = await setting.events()
    const failed = await setting.ask('spoil', 1, {}, spoiling).catch((error: unknown) => error)
    expect(failed).to.be.an('error').with.property('message', 'test/order has no event OrderSpoilt')
    expect(await setting.events()).to.have.length(before.length)
    await setting.ask('change', 1, { title: 'B' })
    expect(await setting.document(1)).to.include({ title: 'B' })
  })
})
