import { expect } from 'chai'
import { participations } from '../../../domain/communities/membership/rules.ts'
import { posts } from '../../../domain/communities/post/rules.ts'
import { contacts } from '../../../domain/contacts/contact/rules.ts'
import { enrollments } from '../../../domain/courses/enrollment/rules.ts'
import { type Ask, ask } from '../../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { orders } from '../../../domain/orders/order/rules.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

/** Commands of members' pages, policies, jobs and mail, which no body brings. */
describe('a command that names a record of another team', () => {
  let service: TestService
  let mine: Tenant
  let other: Tenant
  let contact: number
  before(async () => {
    service = await testService()
    ;[mine, other] = [await service.tenant({ test: true }), await service.tenant({ test: true })]
    contact = await make('contact', other)
  })

  const make = (kind: string, of = mine): Promise<number> => recordMakers[kind]!.make(of)

  const refused = async (asked: Ask): Promise<Refusal> => {
    const { log } = service.background.stores
    const before = await log.lastPosition()
    const problem = await mine.carryOut!(asked).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(problem).to.be.instanceOf(Refusal)
    for await (const { metadata } of log.readAll({ after: before }))
      expect(metadata.actor, 'nothing is written').not.to.equal('test')
    return problem as Refusal
  }

  it('is refused, whichever attribute names it', async () => {
    const community_id = await make('community')
    const space_id = await make('communities/space')
    const course_id = await make('course')
    const asks: readonly Ask[] = [
      ask(participations, 'new', 'create', { contact_id: contact, community_id, join: {} }),
      ask(posts, 'new', 'create', { contact_id: contact, space_id, community_id, title: 'Hi', body: 'Hello' }),
      ask(enrollments, 'new', 'create', { contact_id: contact, course_id }),
      ask(orders, 'new', 'create', { contact_id: contact, order_type: 'one-time-order', live_mode: true }),
    ]
    for (const asked of asks) {
      const { kind, details } = await refused(asked)
      expect([kind, details[0]?.code], asked.aggregate.name).to.deep.equal(['invalid', 'not_found'])
    }
  })

  it('is refused for the record that it is for', async () => {
    const { kind } = await refused(ask(contacts, contact, 'unsubscribe', {}))
    expect(kind).to.equal('notFound')
    expect((await other.api.get(`/contacts/${contact}`)).body.email_suppression_reason).to.equal(null)
  })
})
