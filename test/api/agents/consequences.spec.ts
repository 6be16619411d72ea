import { expect } from 'chai'
import { consequenceOf } from '../../../api/agents/consequences.ts'
import { routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'

describe('what agents ask about first', () => {
  const routes = routesOf(resources)
  const asks = (operationId: string): boolean => {
    const route = routes.find((one) => one.operationId === operationId)
    if (!route) throw new Error(`there is no operation ${operationId}`)
    return consequenceOf(route) !== undefined
  }

  it('16 59: all that removes, erases, refunds, cancels, charges, or reaches many people', () => {
    for (const route of routes.filter(({ method }) => method === 'DELETE'))
      expect(consequenceOf(route), route.operationId).to.be.a('string')
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
    ])
      expect(asks(name), name).to.equal(true)
  })

  it('no reading, and no writing that can be taken back', () => {
    for (const route of routes.filter(({ level }) => level === 'read'))
      expect(consequenceOf(route), route.operationId).to.equal(undefined)
    for (const name of [
      'createContacts',
      'updateContacts',
      'upsertContacts',
      'createFunnel',
      'pauseEmailsBroadcast',
      'createEmailsBroadcast',
    ])
      expect(asks(name), name).to.equal(false)
  })

  it('every act on the list is one of an operation', () => {
    const last = new Set(routes.filter(({ method }) => method === 'POST').map(({ path }) => path.split('/').at(-1)))
    const named = [
      ...new Set(
        routes
          .filter((route) => route.method === 'POST' && consequenceOf(route))
          .map(({ path }) => path.split('/').at(-1)),
      ),
    ]
    for (const word of named) expect(last.has(word), word).to.equal(true)
    expect(named).to.have.length.above(25)
  })
})
