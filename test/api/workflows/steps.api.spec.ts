import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { idsIn, WAIT, type WorkflowUnderTest, workflowOf } from './making.ts'

describe('steps of workflows over REST', () => {
  let tenant: Tenant
  let workflow: WorkflowUnderTest
  before(async () => {
    tenant = await (await testService()).tenant()
  })
  beforeEach(async () => {
    workflow = await workflowOf(tenant)
  })

  const make = (name: string) => recordMakers[name]!.make(tenant)
  const refused = async (answer: ReturnType<WorkflowUnderTest['sendStep']>) => {
    const { status, body } = await answer
    expect(status, JSON.stringify(body)).to.equal(422)
    return body.error.replace('Request unprocessable: ', '')
  }
  const order = async () => idsIn((await workflow.structure()).steps)

  it('have exactly one type, which the key of the settings names', async () => {
    const says = 'step_type_settings must contain exactly one step-class key.'
    expect(await refused(workflow.sendStep({}))).to.equal(says)
    expect(await refused(workflow.sendStep({ ...WAIT, notify_step: {} }))).to.equal(says)
    expect(await refused(workflow.sendStep({ integration_step: {} }))).to.equal(says)
    const made = await workflow.step(WAIT)
    expect(made).to.include({ step_type: 'delay_step', name: 'Delay Step', sort_order: 0, state: 'active' })
    expect(made).to.include({ parent_step_id: null, branch: null, convergence_step_id: null })
    const other = { step_type_settings: { notify_step: { message: 'Hi' } } }
    expect(await refused(workflow.change(made.id, other))).to.equal('step_type_settings must be those of a delay_step')
  })

  it('show the settings of a delay in full, with its zone by name', async () => {
    const zone = async (time_zone: string) =>
      (await workflow.step({ delay_step: { ...WAIT.delay_step, time_zone } })).step_type_settings.delay_step.time_zone
    expect((await workflow.step(WAIT)).step_type_settings).to.deep.equal({
      delay_step: {
        ...{ delay_type: 'relative', duration: 1, interval: 'days', time_zone: null, use_contact_time_zone: false },
        ...{ use_execution_window: false, day_of_week: null, date_of_month: null, start_time: null, end_time: null },
        execution_window_days: [],
      },
    })
    expect(await zone('Eastern Time (US & Canada)')).to.equal('Eastern Time (US & Canada)')
    expect(await zone('America/New_York')).to.equal('Eastern Time (US & Canada)')
    expect(await zone('America/Detroit')).to.equal('Eastern Time (US & Canada)')
    expect(await zone('Europe/Berlin')).to.equal('Berlin')
    expect(await refused(workflow.sendStep({ delay_step: { time_zone: 'Mars/Olympus' } }))).to.include(
      'Time zone is not a known time zone',
    )
  })

  it('14 94: a window whose start is its end, and one with no day, are refused', async () => {
    const window = {
      use_execution_window: true,
      start_time: '09:00',
      end_time: '17:00',
      execution_window_days: [1, 'Friday'],
    }
    const says = (more: object) =>
      refused(workflow.sendStep({ delay_step: { ...WAIT.delay_step, ...window, ...more } }))
    expect(await says({ end_time: '09:00' })).to.equal('delay_step end_time must differ from start_time')
    expect(await says({ execution_window_days: [] })).to.equal(
      'delay_step execution_window_days must have a day, where there is an execution window',
    )
    expect(await says({ end_time: null })).to.include('end_time is missing')
    const { step_type_settings } = await workflow.step({ delay_step: { ...WAIT.delay_step, ...window } })
    expect(step_type_settings.delay_step.execution_window_days).to.deep.equal(['monday', 'friday'])
  })

  it('14 97: negative, fractional and absurd durations are refused', async () => {
    const says = (delay: object) => refused(workflow.sendStep({ delay_step: { ...WAIT.delay_step, ...delay } }))
    expect(await says({ duration: -1 })).to.include('must be greater than or equal to 0')
    expect(await says({ duration: 1.5 })).to.include('must be an integer')
    expect(await says({ duration: 11, interval: 'years' })).to.equal('delay_step duration must be at most 10 years')
    expect(await says({ duration: 1e15 })).to.equal('delay_step duration must be at most 3650 days')
    expect((await workflow.step({ delay_step: { ...WAIT.delay_step, duration: 0 } })).state).to.equal('active')
  })

  it('are active when they are set up, and placeholders while nothing is said about them', async () => {
    const state = async (settings: object) => (await workflow.step(settings)).state
    const tag = await make('contacts/tag')
    expect(await state({ contact_tag_step: {} })).to.equal('notDefined')
    expect(await state({ contact_tag_step: { action: 'Add Tags' } })).to.equal('notSetup')
    expect(await state({ contact_tag_step: { action: 'Add Tags', contacts_tag_ids: [tag] } })).to.equal('active')
    expect(await state({ conditional_split_step: {} })).to.equal('notSetup')
    expect(await state({ split_test_step: {} })).to.equal('active')
    expect(await state({ send_chat_message_step: { inbox_key: 'x', message: 'Hi' } })).to.equal('notSetup')
    expect(await state({ delay_step: { delay_type: 'day_of_month' } })).to.equal('notSetup')
    expect(await state({ move_step: { workflow_id: (await workflowOf(tenant)).id } })).to.equal('active')
    const endpoint = await make('webhooks/outgoing/endpoint')
    expect(await state({ deliver_webhook_step: { webhooks_outgoing_endpoint_id: endpoint } })).to.equal('active')
    expect(await state({ send_asset_step: { asset_id: await make('asset') } })).to.equal('active')
    const field_id = await make('forms/field')
    const attribute = { action: 'Add Attribute', field_id }
    expect(await state({ contact_custom_attribute_step: attribute })).to.equal('notSetup')
    expect(await state({ contact_custom_attribute_step: { ...attribute, value: 'L' } })).to.equal('active')
  })

  it('refuse what the workspace does not have', async () => {
    const other = await (await testService()).tenant()
    const foreign = await recordMakers['contacts/tag']!.make(other)
    const says = (type: string, setting: string, sent: unknown) =>
      refused(workflow.sendStep({ [type]: { [setting]: sent } }))
    const missing = (setting: string, id: unknown) => `\`${setting}\` '${id}' was not found in this workspace.`
    expect(await says('contact_tag_step', 'contacts_tag_ids', [foreign])).to.equal(missing('contacts_tag_ids', foreign))
    expect(await says('enroll_step', 'course_ids', ['nosuch'])).to.equal(missing('course_ids', 'nosuch'))
    expect(await says('grant_community_access_step', 'space_ids', [1])).to.equal(missing('space_ids', 1))
    expect(await says('move_step', 'workflow_id', 999_999)).to.equal(missing('workflow_id', 999_999))
    expect(await says('notify_step', 'user_ids', [999_999])).to.equal(missing('user_ids', 999_999))
    expect(await says('conditional_split_step', 'condition', { filter_id: 999_999 })).to.equal(
      missing('filter_id', 999_999),
    )
  })

  it('notify members of the team', async () => {
    const [{ user_id }] = ok(await tenant.api.get(`/teams/${tenant.teamId}/memberships`))
    const notify_step = { message: 'New buyer', notify_type: ['Email'], user_ids: [user_id] }
    expect(await workflow.step({ notify_step })).to.deep.include({
      state: 'active',
      step_type_settings: { notify_step },
    })
  })

  it('create opportunities in a stage of their pipeline, by a strategy', async () => {
    const { id: sales_pipeline_id, stages } = ok(
      await tenant.api.get(`/sales/pipelines/${await make('sales/pipeline')}`),
    )
    const [{ id: membership_id }] = ok(await tenant.api.get(`/teams/${tenant.teamId}/memberships`))
    const create = { name: 'Deal', value: '10.50', sales_pipeline_id, sales_pipelines_stage_id: stages[0].id }
    const made = await workflow.step({ create_opportunity_step: create })
    expect(made.state).to.equal('active')
    expect(made.step_type_settings.create_opportunity_step).to.deep.include({
      ...create,
      ...{ assignment_strategy: 'unassigned', move_existing: false, membership_id: null, membership_ids: [] },
    })
    const state = async (more: object) =>
      (await workflow.step({ create_opportunity_step: { ...create, ...more } })).state
    expect(await state({ assignment_strategy: 'membership' })).to.equal('notSetup')
    expect(await state({ assignment_strategy: 'membership', membership_id })).to.equal('active')
    expect(await state({ assignment_strategy: 'round_robin' })).to.equal('notSetup')
    expect(await state({ assignment_strategy: 'round_robin', membership_ids: [membership_id] })).to.equal('active')
    const says = (more: object) => refused(workflow.sendStep({ create_opportunity_step: { ...create, ...more } }))
    expect(await says({ value: '10.505' })).to.include('value must be an amount of USD with at most 2 decimals')
    expect(await says({ sales_pipelines_stage_id: await make('sales/pipelines/stage') })).to.include(
      'sales_pipelines_stage_id must be a stage of the pipeline',
    )
    const sales_pipeline = { sales_pipeline_id: await make('sales/pipeline') }
    const moved = { step_type_settings: { create_opportunity_step: sales_pipeline } }
    expect(await refused(workflow.change(made.id, moved)), 'the stage that it has').to.include('must be a stage of the')
    expect(await says({ assignment_strategy: 'lottery' })).to.include('Assignment strategy is not included in the list')
  })

  it('move on to another workflow, which is not archived', async () => {
    const own = await refused(workflow.sendStep({ move_step: { workflow_id: workflow.id } }))
    expect(own).to.equal('move_step workflow_id cannot reference its own workflow.')
    const target = await workflowOf(tenant)
    ok(await tenant.api.put(target.path, { workflow: { archived: true } }))
    const archived = await refused(workflow.sendStep({ move_step: { workflow_id: target.id } }))
    expect(archived).to.equal('move_step workflow_id references an archived workflow.')
  })

  it('change only the settings that are sent', async () => {
    const [one, two] = [await make('contacts/tag'), await make('contacts/tag')]
    const { id } = await workflow.step({ contact_tag_step: { action: 'Add Tags', contacts_tag_ids: [one] } })
    const settings = { step_type_settings: { contact_tag_step: { contacts_tag_ids: [two] } } }
    const changed = ok(await workflow.change(id, { ...settings, name: 'Tags' }))
    expect(changed).to.deep.include({
      name: 'Tags',
      step_type_settings: { contact_tag_step: { action: 'Add Tags', contacts_tag_ids: [two] } },
    })
  })

  it('lose tags that are deleted, and are then not set up', async () => {
    const tag = await make('contacts/tag')
    const { id } = await workflow.step({ contact_tag_step: { action: 'Add Tags', contacts_tag_ids: [tag] } })
    await tenant.api.delete(`/contacts/tags/${tag}`)
    await waitUntilSettled(await testService())
    expect(ok(await tenant.api.get(`/workflows/steps/${id}`))).to.deep.include({
      state: 'notSetup',
      step_type_settings: { contact_tag_step: { action: 'Add Tags', contacts_tag_ids: [] } },
    })
  })

  it('are at the end of the trunk, where nothing else is said', async () => {
    const first = await workflow.step(WAIT)
    const split = await workflow.step({ split_test_step: {} })
    const behind = await workflow.step(WAIT)
    expect(behind).to.include({ parent_step_id: null, sort_order: 0 })
    expect(await order()).to.deep.equal([first.id, split.id, [], [], behind.id])
    expect(ok(await tenant.api.get(`/workflows/steps/${split.id}`))).to.include({ convergence_step_id: behind.id })
  })
})
