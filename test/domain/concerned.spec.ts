import { expect } from 'chai'
import { resources } from '../../domain/index.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { eventTypesOf } from '../../domain/webhooks/catalog.ts'
import { unbound } from '../support/unbound.ts'

const AT = '2026-03-01T10:00:00.000Z'

const DOCUMENTS: Readonly<Record<string, readonly JsonObject[]>> = {
  order: [{ id: 7, contact_id: 3, sold_funnel_id: 20, cancel_reason: 'too_expensive' }],
  'orders/line_item': [
    { id: 1, order_id: 7, product_id: 30, variant_id: 40 },
    { id: 2, order_id: 7, product_id: 31, variant_id: 41 },
    { id: 3, order_id: 8, product_id: 32, variant_id: 42 },
  ],
  'sales/opportunity': [{ id: 7, primary_contact_id: 3 }],
  'sales/pipelines/stage': [
    { id: 50, pipeline_id: 60 },
    { id: 51, pipeline_id: 61 },
  ],
  'visits/session': [{ id: 7, contact_id: 3 }],
  'emails/delivery': [{ id: 7001, contact_id: 3 }],
}

const idOf = ({ id }: JsonObject) => Number(id)
const reader = {
  get: (collection: string, id: number | string) =>
    DOCUMENTS[collection]?.find((one) => idOf(one) === id) as Document | undefined,
  getMany: (collection: string, ids: readonly (number | string)[]) => ids.map((id) => reader.get(collection, id)),
  find: (collection: string, { where }: { readonly where: Readonly<Record<string, unknown>> }) =>
    (DOCUMENTS[collection] ?? []).filter((one) =>
      Object.entries(where).every(([name, value]) => one[name] === value),
    ) as unknown as Document[],
}

const types = new Map(eventTypesOf(resources).map((type) => [type.key, type]))

/** Returns whom an event of stream 7 is about, as its public event says. */
const concerned = async (key: string, data: JsonObject, id = 7, subjectId = id) => {
  const { publication, resource } = types.get(key)!
  const stream = `${resource.aggregate.name}-${id}`
  return publication.concerns!(
    { type: publication.on[0]!, data, stream, revision: 0, metadata: { at: AT } } as never,
    unbound(reader),
    subjectId,
  )
}

const BOUGHT = { funnel_id: 20, product_id: [30, 31], product_variant_id: [40, 41] }

describe('What a public event says about whom it concerns', () => {
  it('names the contact, and the tag', async () => {
    for (const key of ['$contact.tag_applied', '$contact.tag_removed'])
      expect(await concerned(key, { applied_tag_id: 1, tag_id: 9 })).to.deep.equal({
        contact_id: 7,
        conditions: { contacts_tag_id: 9 },
      })
  })

  it('names the page of an opt-in and of a view, and never a funnel', async () => {
    const expected = { contact_id: 3, conditions: { page_id: 70 } }
    expect(await concerned('$optin', { contact_id: 3, page_id: 70, funnel_id: 20 })).to.deep.equal(expected)
    expect(await concerned('$view', { page_id: 70, funnel_id: 20 })).to.deep.equal(expected)
  })

  it('knows no contact of a view by somebody who has not said who they are', async () => {
    expect(await concerned('$view', { page_id: 70 }, 8)).to.deep.include({ contact_id: null })
  })

  it('names the buyer, the funnel and what was bought', async () => {
    for (const key of ['$order.successful_purchase', '$order.churned', '$transaction.renewal_failed'])
      expect(await concerned(key, {})).to.deep.equal({ contact_id: 3, conditions: BOUGHT })
  })

  it('names what was canceled and why', async () => {
    expect(await concerned('$order.cancelled', {})).to.deep.equal({
      contact_id: 3,
      conditions: {
        ...BOUGHT,
        cancellation_product_id: [30, 31],
        cancellation_product_variant_id: [40, 41],
        subscription_cancelation_reason: 'too_expensive',
      },
    })
  })

  it('names what a subscription moved to, and what it was for before', async () => {
    const moved = { variant_id: 41, previous_product_id: 33, previous_variant_id: 43 }
    for (const key of ['$subscription.upgraded', '$subscription.downgraded'])
      expect(await concerned(key, moved)).to.deep.equal({
        contact_id: 3,
        conditions: {
          funnel_id: 20,
          product_id: [30, 31, 33],
          product_variant_id: [40, 41, 43],
          subscription_variant_to_id: 41,
        },
      })
  })

  it('names the stage that was entered or left, and its pipeline', async () => {
    const moved = { pipelines_stage_id: 50, from_stage_id: 51 }
    const inStage = (stageId: number, pipelineId: number) => ({
      contact_id: 3,
      conditions: { sales_pipelines_id: pipelineId, current_sales_pipelines_stage_id: stageId },
    })
    expect(await concerned('$sales.contact_entered_stage', moved)).to.deep.equal(inStage(50, 60))
    expect(await concerned('$sales.contact_exited_stage', moved)).to.deep.equal(inStage(51, 61))
  })

  it('names the recipient of a mail, and the broadcast or the step', async () => {
    const about = async (purpose: object) =>
      concerned('$email.open', { delivery_id: 7001, purpose: { ...purpose } }, 7, 7001)
    const conditions = { emails_broadcasts_id: null, workflows_step_id: null }
    expect(await about({})).to.deep.equal({ contact_id: 3, conditions })
    expect(await about({ broadcast_id: 5 })).to.deep.equal({
      contact_id: 3,
      conditions: { ...conditions, emails_broadcasts_id: 5 },
    })
    expect(await about({ step_id: 8, contact_id: 3 })).to.deep.equal({
      contact_id: 3,
      conditions: { ...conditions, workflows_step_id: 8 },
    })
  })

  it('names the contact of an appointment', async () => {
    expect(await concerned('$appointments.appointment_scheduled', { primary_contact_id: 3 })).to.deep.equal({
      contact_id: 3,
      conditions: {},
    })
  })
})
