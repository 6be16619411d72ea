import { expect } from 'chai'
import { consequenceOf, whenItAsks } from '../../../api/agents/consequences.ts'
import { type Route, routeProblems, routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { publicIds } from '../../../domain/kernel/values/public-ids.ts'
import { unbound } from '../../support/unbound.ts'

const ids = publicIds(() => new Uint8Array(64))

/** Read access to records that are given by kind and id. */
const reading = (records: Readonly<Record<string, JsonObject>>) =>
  unbound({
    get: async (kind, id) => records[`${kind} ${id}`] as Document | undefined,
    getMany: async (kind, all) => all.map((id) => records[`${kind} ${id}`] as Document | undefined),
    find: async () => [],
  })

describe('what agents ask about first', () => {
  const routes = routesOf(resources)
  const routeOf = (operationId: string): Route => {
    const route = routes.find((one) => one.operationId === operationId)
    if (!route) throw new Error(`there is no operation ${operationId}`)
    return route
  }

  interface Call {
    readonly sent?: JsonObject
    readonly document?: JsonObject
    readonly owner?: JsonObject
    readonly records?: Readonly<Record<string, JsonObject>>
  }
  const asksAbout = (route: Route, { sent = {}, document, owner, records = {} }: Call = {}) =>
    consequenceOf(
      route,
      {
        ...{ sent, body: sent, document: document as Document | undefined, owner: owner as Document | undefined },
        parseId: (value) => (typeof value === 'number' ? value : undefined),
      },
      reading(records),
      ids,
    )
  const asks = (operationId: string, call?: Call) => asksAbout(routeOf(operationId), call)

  it('16 59: all that removes, erases, refunds, cancels, charges, or reaches many people', async () => {
    for (const route of routes.filter(({ method }) => method === 'DELETE'))
      expect(await asksAbout(route), route.operationId).to.be.a('string')
    for (const name of [
      'gdpr_destroyContacts',
      'refundOrdersTransactions',
      'cancelOrder',
      'abandonOrdersInvoices',
      'performOrdersLineItemsChange',
      'createOrdersCheckouts',
      'createOrdersInvoices',
      'createEmailsBroadcastsSendActions',
      'resumeEmailsBroadcast',
      'createContactsTagActions',
      'createContactsUnsubscribeActions',
      'createContactsEnrollActions',
      'createContactsRunWorkflowActions',
      'createCommunitiesMembershipsBanActions',
      'createCommunitiesBans',
      'enableWorkflow',
      'publishCourse',
      'rotateSecretWebhooksOutgoingEndpoints',
      'advanceWorkspacesTestClock',
      'createPaymentsGatewayAccounts',
      'updatePaymentsGatewayAccounts',
      'createWebhooksOutgoingEndpoints',
      'updateWebhooksOutgoingEndpoints',
      'reactivateOrder',
      'createWorkflowRun',
    ])
      expect(await asks(name), name).to.be.a('string')
  })

  it('no reading, and no writing that can be taken back', async () => {
    for (const route of routes.filter(({ level }) => level === 'read'))
      expect(await asksAbout(route), route.operationId).to.equal(undefined)
    for (const name of [
      'createContacts',
      'updateContacts',
      'upsertContacts',
      'createFunnel',
      'pauseEmailsBroadcast',
      'createEmailsBroadcast',
      'createWorkflow',
      'createCourses',
    ])
      expect(await asks(name), name).to.equal(undefined)
  })

  it('what a field does, by whatever method and path it is sent', async () => {
    const asked: readonly (readonly [operationId: string, call: Call, asks: boolean])[] = [
      ['createEmailsBroadcast', { sent: { send_immediately: true } }, true],
      ['createEmailsBroadcast', { sent: { send_immediately: 'true' } }, true],
      ['createEmailsBroadcast', { sent: { send_immediately: false } }, false],
      ['createEmailsBroadcast', { sent: { send_immediately: { odd: 1 } } }, true],
      ['createEmailsBroadcast', { sent: { send_at: '2027-01-01' } }, true],
      ['updateEmailsBroadcast', { sent: { send_at: '2027-01-01' }, document: { status: 'draft' } }, true],
      ['updateEmailsBroadcast', { sent: { subject: 'Hi' }, document: { status: 'draft' } }, false],
      ['updateEmailsBroadcast', { sent: { subject: 'Hi' }, document: { status: 'scheduled' } }, true],
      ['createBlogPost', { sent: { visibility: 'public' } }, true],
      ['createBlogPost', { sent: { visibility: 'draft' } }, false],
      ['updateBlogPost', { sent: { visibility: 'public' }, document: { visibility: 'draft' } }, true],
      ['updateBlogPost', { sent: { markup: 'New' }, document: { visibility: 'draft' } }, false],
      ['updateBlogPost', { sent: { markup: 'New' }, document: { visibility: 'public' } }, true],
      ['createFunnel', { sent: { live_mode: true } }, true],
      ['createFunnel', { sent: { live_mode: false } }, false],
      ['updateFunnels', { sent: { live_mode: true }, document: { live_mode: false } }, true],
      ['updateFunnels', { sent: { live_mode: false }, document: { live_mode: true } }, true],
      ['updateFunnels', { sent: { head_code: '<script>' }, document: { live_mode: true } }, true],
      ['updateFunnels', { sent: { head_code: '<script>' }, document: { live_mode: false } }, false],
      ['updateSite', { sent: { head_code: '<script>' } }, true],
      ['updateWorkspaces', { sent: { subdomain: 'other' }, document: { subdomain: 'own' } }, true],
      ['updateWorkspaces', { sent: { name: 'Other' }, document: { subdomain: 'own' } }, false],
      ['createCommunitiesMemberships', { sent: { contact_id: 1, moderator: true } }, true],
      ['createCommunitiesMemberships', { sent: { contact_id: 1 } }, false],
      ['updateOrders', { sent: { renewal_at: '2027-01-01T00:00:00Z' }, document: {} }, true],
      ['updateOrders', { sent: { notes: 'Called' }, document: {} }, false],
    ]
    for (const [operationId, call, expected] of asked)
      expect((await asks(operationId, call)) !== undefined, `${operationId} ${JSON.stringify(call)}`).to.equal(expected)
  })

  it('a page is nothing to ask about only while it is in funnels in test mode alone', async () => {
    const records = { 'funnel 1': { id: 1, live_mode: false }, 'funnel 2': { id: 2, live_mode: true } }
    const isAsked = async (operationId: string, call: Call) =>
      (await asks(operationId, { ...call, records })) !== undefined
    expect(await isAsked('createPage', { sent: { name: 'P' } })).to.equal(true)
    expect(await isAsked('createPage', { sent: { name: 'P', funnel: { funnel_id: 1 } } })).to.equal(false)
    expect(await isAsked('createPage', { sent: { name: 'P', funnel: { funnel_id: 2 } } })).to.equal(true)
    expect(await isAsked('updatePages', { sent: { head_code: 'x' }, document: { funnel_id: 1 } })).to.equal(false)
    expect(await isAsked('updatePages', { sent: { head_code: 'x' }, document: { funnel_id: 2 } })).to.equal(true)
    expect(await isAsked('updatePages', { sent: { head_code: 'x' }, document: { funnel_id: null } })).to.equal(true)
    const moved = { sent: { funnel: { funnel_id: 2 } }, document: { funnel_id: 1 } }
    expect(await isAsked('updatePages', moved)).to.equal(true)
  })

  it('a field that stands beside the root of a body counts as one below it', async () => {
    const route = routeOf('createEmailsBroadcast')
    const { fieldsIn } = await import('../../../api/agents/consequences.ts')
    const body = { send_immediately: true, emails_broadcast: { name: 'N' } }
    expect(fieldsIn(route, body)).to.include({ send_immediately: true, name: 'N' })
  })

  it('an operation that does not say what follows from it asks, and does not start', async () => {
    const route = routeOf('createContacts')
    const silent: Route = { ...route, operation: { ...route.operation, consequence: undefined } as Route['operation'] }
    expect(await asksAbout(silent)).to.contain('not known')
    expect(routeProblems([silent])).to.deep.equal(['createContacts does not say what follows from it'])
    expect(routeProblems(routes)).to.deep.equal([])
  })

  it('a description says it, the fields included', () => {
    expect(whenItAsks(routeOf('createBlogPost'))).to.contain('visibility shows something to everybody')
    expect(whenItAsks(routeOf('refundOrdersTransactions'))).to.equal('It gives money back.')
    expect(whenItAsks(routeOf('createContactsTags'))).to.equal(undefined)
  })
})
