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
  let ground: Awaited<ReturnType<typeof installation>>

  beforeEach(async () => {
    ground = await installation()
  })

  afterEach(() => ground.close())

  it('is not appended: the command fails', async () => {
    await ground.ask('create', 1, { contact_id: 5, title: 'A' })
    const before = await ground.events()
    const failed = await ground.ask('spoil', 1, {}, spoiling).catch((error: unknown) => error)
    expect(failed).to.be.an('error').with.property('message', 'test/order has no event OrderSpoilt')
    expect(await ground.events()).to.have.length(before.length)
    await ground.ask('change', 1, { title: 'B' })
    expect(await ground.document(1)).to.include({ title: 'B' })
  })
})
