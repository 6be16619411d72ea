import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { completeAddress } from '../../support/records/emails.ts'
import { inWorkspace, unique } from '../../support/records/making.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, testService } from '../../support/service.ts'
import { type WorkflowUnderTest, workflowOf } from './making.ts'

describe('steps that send e-mails', () => {
  let tenant: Tenant
  let workflow: WorkflowUnderTest
  before(async () => {
    tenant = await (await testService()).tenant()
    await completeAddress(tenant)
  })
  beforeEach(async () => {
    workflow = await workflowOf(tenant)
  })

  const texts = { html_body: '<p>Hello {{ contact.first_name }}</p>', text_body: 'Hello' }
  const makeTemplate = async (fields: object = {}) =>
    ok(
      await tenant.api.post(inWorkspace('/emails/templates')(tenant), {
        emails_template: { name: unique('Welcome'), subject: 'Welcome', ...texts, ...fields },
      }),
    )
  const templateOf = async (id: number) =>
    ok(await tenant.api.get(`/emails/templates/${id}?expand[]=html_body&expand[]=text_body`))
  const mail = async (settings: object) => await workflow.step({ send_email_step: settings })
  const change = (id: number, settings: object) =>
    workflow.change(id, { step_type_settings: { send_email_step: settings } })
  const refused = async (answer: ReturnType<WorkflowUnderTest['sendStep']>) => {
    const { status, body } = await answer
    expect(status, JSON.stringify(body)).to.equal(422)
    return body.error.replace('Request unprocessable: ', '')
  }

  it('own a copy of the template that is named', async () => {
    const original = await makeTemplate()
    const made = await mail({ template_id: original.public_id, preheadline: 'Soon' })
    const { template_id, ...settings } = made.step_type_settings.send_email_step
    expect(settings).to.deep.equal({
      ...{ subject: 'Welcome', preheadline: 'Soon', from_address_id: null, reply_to_address_id: null },
    })
    expect(made.state).to.equal('active')
    expect(template_id).to.be.a('number').that.is.not.equal(original.id)
    expect(await templateOf(template_id)).to.include({ subject: 'Welcome', ...texts })
    ok(await tenant.api.put(`/emails/templates/${original.id}`, { emails_template: { html_body: 'Other' } }))
    expect(await templateOf(template_id), 'edits of the original do not reach it').to.include(texts)
  })

  it('own a template of the bodies that are sent, which show no more', async () => {
    const made = await mail({ subject: 'Hi', ...texts })
    const { template_id, ...settings } = made.step_type_settings.send_email_step
    expect(settings).to.not.have.any.keys('html_body', 'text_body')
    expect(made.state).to.equal('active')
    expect(await templateOf(template_id)).to.include({ subject: 'Hi', ...texts })
    ok(await change(made.id, { html_body: '<p>New</p>' }))
    expect(await templateOf(template_id)).to.include({ html_body: '<p>New</p>', text_body: 'Hello' })
    const renamed = ok(await change(made.id, { subject: 'Ho' }))
    expect(renamed.step_type_settings.send_email_step).to.include({ subject: 'Ho', template_id })
    expect(await templateOf(template_id)).to.include({ subject: 'Ho' })
  })

  it('take the template where both are sent', async () => {
    const { id } = await makeTemplate()
    const made = await mail({ subject: 'Own', template_id: id, html_body: '<p>Lost</p>' })
    const { template_id, subject } = made.step_type_settings.send_email_step
    expect(subject).to.equal('Own')
    expect(await templateOf(template_id)).to.include({ subject: 'Own', ...texts })
  })

  it('are not set up with a subject alone, until they get a body', async () => {
    const made = await mail({ subject: 'Alone' })
    expect(made.state).to.equal('notSetup')
    expect(made.step_type_settings.send_email_step).to.include({ template_id: null })
    const filled = ok(await change(made.id, { text_body: 'Now' }))
    expect(filled.state).to.equal('active')
    const { template_id } = filled.step_type_settings.send_email_step
    expect(await templateOf(template_id)).to.include({ text_body: 'Now', html_body: null })
  })

  it('need a subject or a template, and keep the one that they have', async () => {
    const says = 'send_email_step requires a subject or a template_id.'
    expect(await refused(workflow.sendStep({ send_email_step: { html_body: '<p>Hi</p>' } }))).to.equal(says)
    const { id } = await makeTemplate()
    const made = await mail({ template_id: id })
    expect(await refused(change(made.id, { template_id: id }))).to.include(
      'send_email_step template_id cannot be changed after creation.',
    )
    const missing = workflow.sendStep({ send_email_step: { template_id: 999_999 } })
    expect(await refused(missing)).to.equal("`template_id` '999999' was not found in this workspace.")
  })

  it('need the business address of the workspace', async () => {
    const other = await (await testService()).tenant()
    const theirs = await workflowOf(other)
    const says = /^A complete business mailing address is required/
    expect(await refused(theirs.sendStep({ send_email_step: { subject: 'Hi' } }))).to.match(says)
    expect(ok(await other.api.get(`/workflows/${theirs.id}/steps`))).to.deep.equal([])
    await completeAddress(other)
    expect((await theirs.step({ send_email_step: { subject: 'Hi' } })).state).to.equal('notSetup')
  })

  it('need senders that are usable', async () => {
    const sender = await recordMakers['emails/address']!.make(tenant)
    for (const name of ['from_address_id', 'reply_to_address_id'])
      expect(await refused(workflow.sendStep({ send_email_step: { subject: 'Hi', [name]: sender } }))).to.equal(
        `send_email_step ${name} must be usable as a sender`,
      )
  })

  it('keep their template, which is not deleted while they have it', async () => {
    const { id, step_type_settings } = await mail({ subject: 'Hi', ...texts })
    const path = `/emails/templates/${step_type_settings.send_email_step.template_id}`
    const answer = await tenant.api.delete(path)
    expect([answer.status, answer.body.error]).to.deep.equal([
      422,
      'Request unprocessable: Template cannot be deleted because a step of a workflow sends it',
    ])
    ok(await tenant.api.delete(`/workflows/steps/${id}`))
    expect((await tenant.api.delete(path)).status).to.equal(204)
  })

  it('14 99: publish edits of their texts, as those of settings', async () => {
    await workflow.trigger({ event_type_key: '$optin' })
    const made = await mail({ subject: 'Hi', ...texts })
    const versions = async () => {
      const { background } = await testService()
      let count = 0
      for await (const { type } of background.stores.log.readStream(`workflow-${workflow.id}`))
        if (type === 'WorkflowVersionPublished') count++
      return count
    }
    await workflow.enable()
    await workflow.enable()
    expect(await versions()).to.equal(1)
    ok(await change(made.id, { text_body: 'Edited' }))
    await workflow.enable()
    expect(await versions()).to.equal(2)
  })
})
