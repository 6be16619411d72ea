import { expect } from 'chai'
import { mailingIdOf } from '../../../domain/emails/public.ts'
import { readKept } from '../../../infra/mail/files.ts'
import { ok } from '../../support/client.ts'
import { destinationsIn } from '../../support/destinations.ts'
import { eventually } from '../../support/eventually.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { createContacts } from '../../workers/mail/mailing-tenant.ts'
import { deliveriesOfBroadcast, draft, order, settledBroadcast } from '../mail/broadcasting.ts'
import { WAIT, workflowOf } from '../workflows/making.ts'
import { enrolling } from '../workflows/runs/enrolled.ts'

const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'

describe('Contact filters on mails, workflows and forms', () => {
  let service: TestService
  let tenant: Tenant
  let people: readonly number[]

  beforeEach(async () => {
    service ??= await testService()
    tenant = await service.tenant({ test: true })
    people = await createContacts(
      tenant,
      ['a', 'b', 'c', 'd'].map((name) => `${name}@filters.example`),
    )
  })

  const filterBy = async (...criteria: readonly (readonly [string, string, readonly number[]])[]): Promise<number> =>
    ok(
      await tenant.api.post(`/workspaces/${tenant.workspaceId}/refine_filters`, {
        refine_filter: {
          criteria: criteria.map(([attribute, clause, ids]) => ({ attribute, clause, value: ids.map(String) })),
        },
      }),
    ).id
  const idsIn = async (filterId: number, more = ''): Promise<readonly number[]> => {
    const path = `/workspaces/${tenant.workspaceId}/contacts?stored_filter_id=${filterId}${more}`
    return ok(await tenant.api.get(path)).map(({ id }: { id: number }) => id)
  }
  const soon = (filterId: number, expected: readonly number[]) =>
    eventually(async () => expect(await idsIn(filterId)).to.deep.equal(expected))

  it('find who received, opened and clicked a broadcast, in any order of the list', async () => {
    const on = enrolling(tenant)
    const linked = { template_id: null, html_body: '<a href="https://shop.example/a">a</a>' }
    const [id, other] = [await draft(tenant, linked), await draft(tenant)]
    ok(await order(tenant, id))
    await settledBroadcast(tenant, id)
    await on.later(1)
    const sent = await deliveriesOfBroadcast(service, id)
    const htmlOf = async (index: number) => {
      const one = sent[index]!
      return (await readKept(service.background.stores, mailingIdOf(one.id), one.id))!.html
    }
    const fetchAs = (url: string) => fetch(url, { headers: { 'user-agent': AGENT }, redirect: 'manual' })
    const pixel = /<img src="([^"]+)"/
    await fetchAs(pixel.exec(await htmlOf(0))![1]!)
    await fetchAs(destinationsIn(await htmlOf(2))[0]!)
    await on.later(1)
    const contactIds = sent.map(({ contact_id }) => contact_id)
    expect(contactIds).to.have.members(people)
    const [opener, , clicker] = contactIds
    await soon(
      await filterBy(['received_broadcast', 'eq', [id]]),
      [...people].sort((a, b) => a - b),
    )
    const opened = await filterBy(['opened_broadcast', 'in', [id, other]])
    const openers = [opener!, clicker!].sort((a, b) => a - b)
    await soon(opened, openers)
    expect(await idsIn(opened, '&sort_property=id&sort_order=desc')).to.deep.equal(openers.toReversed())
    expect(await idsIn(await filterBy(['received_broadcast', 'eq', [other]]))).to.deep.equal([])
    expect(await idsIn(await filterBy(['clicked_broadcast', 'eq', [id]]))).to.deep.equal([clicker!])
    const again = await draft(tenant, { filter_id: opened })
    ok(await order(tenant, again))
    await settledBroadcast(tenant, again)
    const second = await deliveriesOfBroadcast(service, again)
    expect(second.map(({ contact_id }) => contact_id)).to.deep.equal(openers)
    const counts = `/workspaces/${tenant.workspaceId}/stats?resource=contact&count=true&stored_filter_id=${opened}`
    expect(ok(await tenant.api.get(counts)).stats.count).to.equal(2)
  })

  it('find who is in a workflow, and who completed it', async () => {
    const on = enrolling(tenant)
    const [tag, start] = [await on.make('contacts/tag'), await on.make('contacts/tag')]
    const waiting = await on.startedBy(start, WAIT)
    const branched = await workflowOf(tenant)
    await branched.trigger({ event_type_key: '$contact.tag_applied', contacts_tag_id: tag })
    const inside = await filterBy(['in_workflow', 'eq', [waiting.id]])
    const done = await filterBy(['completed_workflow', 'in', [waiting.id, branched.id]])
    const never = await filterBy(['in_workflow', 'dne', [waiting.id]], ['completed_workflow', 'nin', [waiting.id]])
    const [first, second, ...rest] = people
    for (const contact of [first!, second!]) await on.applyTag(contact, start)
    await soon(
      inside,
      [first!, second!].sort((a, b) => a - b),
    )
    expect(await idsIn(done)).to.deep.equal([])
    await on.later(2)
    await soon(
      done,
      [first!, second!].sort((a, b) => a - b),
    )
    expect(await idsIn(inside)).to.deep.equal([])
    expect(await idsIn(never)).to.deep.equal([...rest].sort((a, b) => a - b))
  })

  it('decide splits of workflows', async () => {
    const on = enrolling(tenant)
    const [start, other, matched] = [
      await on.make('contacts/tag'),
      await on.make('contacts/tag'),
      await on.make('contacts/tag'),
    ]
    const waiting = await on.startedBy(other, WAIT)
    const filter_id = ok(
      await tenant.api.get(`/refine_filters/${await filterBy(['in_workflow', 'eq', [waiting.id]])}`),
    ).public_id
    const splitting = await workflowOf(tenant)
    await splitting.trigger({ event_type_key: '$contact.tag_applied', contacts_tag_id: start })
    const split = await splitting.step({ conditional_split_step: { condition: { filter_id } } })
    const tags = { contact_tag_step: { action: 'Add Tags', contacts_tag_ids: [matched] } }
    await splitting.step(tags, { parent_step_id: split.id, branch: 'matched' })
    ok(await splitting.enable())
    const [inside, outside] = people
    await on.applyTag(inside!, other)
    await on.runIn(waiting, 'paused')
    for (const contact of [inside!, outside!]) await on.applyTag(contact, start)
    await on.soon(async () => {
      const runs = await on.runsOf(splitting)
      expect(runs.map(({ status }) => status)).to.deep.equal(['completed', 'completed'])
    })
    expect(await on.tagsOf(inside!)).to.include(matched)
    expect(await on.tagsOf(outside!)).to.not.include(matched)
  })

  it('find who submitted a form', async () => {
    const form = await recordMakers.form!.make(tenant)
    const submit = async (contact_id: number) =>
      ok(await tenant.api.post(`/forms/${form}/submissions`, { forms_submission: { contact_id } }))
    await submit(people[1]!)
    await submit(people[1]!)
    await soon(await filterBy(['submitted_form', 'eq', [form]]), [people[1]!])
  })

  it('refuse broadcasts that are not of the workspace, and clauses that the contract has not', async () => {
    const stranger = await draft(await service.tenant())
    const refused = async (clause: string, value: readonly string[]) =>
      (
        await tenant.api.post(`/workspaces/${tenant.workspaceId}/refine_filters`, {
          refine_filter: { criteria: [{ attribute: 'opened_broadcast', clause, value }] },
        })
      ).body.error
    expect(await refused('eq', [String(stranger)])).to.contain('contains ids not found in this workspace')
    expect(await refused('dne', [String(await draft(tenant))])).to.contain("clause 'dne' is not allowed")
  })
})
