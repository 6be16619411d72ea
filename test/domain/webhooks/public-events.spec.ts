import { expect } from 'chai'
import { resources } from '../../../domain/index.ts'
import { isSameWriteAsPrevious } from '../../../domain/kernel/engine/write.ts'
import type { DomainEvent, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { eventTypeProblems, eventTypesOf } from '../../../domain/webhooks/catalog.ts'
import { subscribedName, subscribes } from '../../../domain/webhooks/matching.ts'
import { publicEventsOf } from '../../../domain/webhooks/public-events.ts'

const types = eventTypesOf(resources)
const of = publicEventsOf(types)

const write = (stream: string, events: readonly DomainEvent[], first = 0, cause = 'request'): RecordedEvent[] =>
  events.map((event, index) => ({
    ...event,
    id: `${stream}@${first + index}`,
    stream,
    revision: first + index,
    position: 1000 + first + index,
    metadata: { at: '2026-03-01T09:00:00.000Z', actor: 'key:1', $correlationId: cause, $causationId: cause },
  }))

const keys = (events: RecordedEvent[]) => of(events).map(({ type, subject }) => [type.key, subject.id])

const created = { type: 'ContactCreated', data: { uuid: 'u', time_zone: null, personal: null } }
const identified = { type: 'ContactIdentified', data: {} }
const attributes = { type: 'ContactAttributesSet', data: { attributes: { plan: 'gold' } } }
const tagged = (id: number) => ({ type: 'ContactTagApplied', data: { applied_tag_id: id, tag_id: 7 } })
const details = { type: 'ContactDetailsChanged', data: { changed: ['first_name'], personal: null } }
const zoned = { type: 'ContactTimeZoneSet', data: { time_zone: null } }

describe('public events', () => {
  it('are declared without contradictions', () => {
    expect(eventTypeProblems(types)).to.deep.equal([])
    const [type] = types
    const misnamed = { ...type!, publication: { ...type!.publication, alias: 'contact.exploded' } }
    expect(eventTypeProblems([misnamed])).to.deep.equal([
      `${type!.key} has an alias that the contract does not know: contact.exploded`,
    ])
  })

  it('of a new contact are its creation and what else happened, never an update', () => {
    const events = write('contact-5', [created, identified, attributes, tagged(70), tagged(71)])
    expect(keys(events)).to.deep.equal([
      ['$contact.created', 5],
      ['$contact.identified', 5],
      ['$contact.tag_applied', 70],
      ['$contact.tag_applied', 71],
    ])
  })

  it('show the subject as the write left it', () => {
    for (const { subject } of of(write('contact-5', [created, identified, attributes]))) {
      expect(subject).to.include({ resource: 'contact', stream: 'contact-5', revision: 2 })
    }
  })

  it('have one update however many fields a write changes', () => {
    expect(keys(write('contact-5', [details, zoned, attributes], 4))).to.deep.equal([['$contact.updated', 5]])
  })

  it('of two writes are two, although they follow each other', () => {
    const events = [...write('contact-5', [details], 4, 'one'), ...write('contact-5', [zoned], 5, 'two')]
    expect(isSameWriteAsPrevious(events[0]!, events[1]!)).to.equal(false)
    const [one, other] = write('contact-5', [details, zoned], 4)
    expect(isSameWriteAsPrevious(one!, other!)).to.equal(true)
    expect(isSameWriteAsPrevious(one!, write('contact-6', [zoned], 5)[0]!)).to.equal(false)
  })

  it('of an opportunity say it was closed once in its life', () => {
    const closed = (first: boolean) => ({ type: 'OpportunityClosed', data: { closed_at: 'x', first } })
    expect(keys(write('sales/opportunity-9', [closed(true)], 3))).to.have.deep.members([
      ['$sales.opportunity_updated', 9],
      ['$sales.opportunity_closed', 9],
    ])
    expect(keys(write('sales/opportunity-9', [closed(false)], 3))).to.deep.equal([['$sales.opportunity_updated', 9]])
  })

  it('of a move name both stages', () => {
    const staged = {
      type: 'OpportunityStaged',
      data: { pipeline_id: 1, pipelines_stage_id: 20, from_stage_id: 10, sort_order: 0 },
    }
    const found = of(write('sales/opportunity-9', [staged], 3))
    expect(found.map(({ type }) => type.key)).to.have.members([
      '$sales.opportunity_updated',
      '$sales.opportunity_moved_stage',
      '$sales.contact_entered_stage',
      '$sales.contact_exited_stage',
    ])
    const moved = found.find(({ type }) => type.key === '$sales.opportunity_moved_stage')
    expect(moved?.details).to.deep.equal({ from_stage_id: 10, to_stage_id: 20 })
  })

  it('of a removal can still show what was removed', () => {
    const [removed] = of(
      write('contact-5', [{ type: 'ContactTagRemoved', data: { applied_tag_id: 70, tag_id: 7 } }], 6),
    )
    expect(removed?.subject).to.deep.include({ resource: 'contacts/applied_tag', id: 70, revision: 6, goneFrom: 6 })
  })

  it('do not follow from what nobody subscribes to', () => {
    expect(keys(write('workspace-1', [{ type: 'WorkspaceOpened', data: {} }]))).to.deep.equal([])
  })
})

describe('subscriptions', () => {
  const type = types.find(({ key }) => key === '$contact.created')!
  const nowhere = { page_id: null, funnel_id: null }
  const asks = (event_type_ids: string[], page_ids: number[] | null = null, funnel_ids: number[] | null = null) => ({
    event_type_ids,
    page_ids,
    funnel_ids,
  })

  it('go by the key or by the name of the contract', () => {
    expect(subscribedName(asks(['$contact.created']), type)).to.equal('$contact.created')
    expect(subscribedName(asks(['contact.created']), type)).to.equal('contact.created')
    expect(subscribedName(asks(['contact.created', '$contact.created']), type)).to.equal('$contact.created')
    expect(subscribedName(asks(['contact.updated', '$contact']), type)).to.equal(undefined)
  })

  it('with a scope get only what comes from there', () => {
    const ids = ['$contact.created']
    expect(subscribes(asks(ids), type, nowhere)).to.equal(true)
    expect(subscribes(asks(ids), type, { page_id: 4, funnel_id: 2 })).to.equal(true)
    expect(subscribes(asks(ids, [4]), type, { page_id: 4, funnel_id: null })).to.equal(true)
    expect(subscribes(asks(ids, [4]), type, { page_id: 5, funnel_id: null })).to.equal(false)
    expect(subscribes(asks(ids, [4]), type, nowhere)).to.equal(false)
    expect(subscribes(asks(ids, [4], [2]), type, { page_id: 4, funnel_id: 3 })).to.equal(false)
    expect(subscribes(asks(ids, null, [2]), type, { page_id: 4, funnel_id: 2 })).to.equal(true)
  })
})
