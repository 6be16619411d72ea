import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { type Tenant, testService } from '../../support/service.ts'
import { idsIn, WAIT, type WorkflowUnderTest, workflowOf } from './making.ts'

describe('places of steps in workflows over REST', () => {
  let tenant: Tenant
  let workflow: WorkflowUnderTest
  before(async () => {
    tenant = await (await testService()).tenant()
  })
  beforeEach(async () => {
    workflow = await workflowOf(tenant)
  })

  const wait = async (place: object = {}): Promise<number> => (await workflow.step(WAIT, place)).id
  const split = async (type: 'conditional' | 'test', place: object = {}): Promise<number> =>
    (await workflow.step({ [type === 'test' ? 'split_test_step' : 'conditional_split_step']: {} }, place)).id
  const order = async () => idsIn((await workflow.structure()).steps)
  const show = async (id: number) => ok(await tenant.api.get(`/workflows/steps/${id}`))
  const refused = async (answer: ReturnType<WorkflowUnderTest['sendStep']>) => {
    const { status, body } = await answer
    expect(status, JSON.stringify(body)).to.equal(422)
    return body.error.replace('Request unprocessable: ', '')
  }

  it('are given by a position, by the step before, or by a split and its branch', async () => {
    const [a, b] = [await wait(), await wait()]
    const first = await wait({ position: 0 })
    const between = await wait({ after_step_id: a })
    const test = await split('conditional', {
      after_step_id: ok(await tenant.api.get(`/workflows/steps/${b}`)).public_id,
    })
    const matched = await wait({ parent_step_id: test, branch: 'matched' })
    const unmatched = await wait({ parent_step_id: test, branch: 'unmatched' })
    const before = await wait({ parent_step_id: test, branch: 'match', position: 0 })
    const fallback = await wait({ parent_step_id: test, branch: 'fallback', after_step_id: unmatched })
    expect(await order()).to.deep.equal([first, a, between, b, test, [before, matched], [unmatched, fallback]])
    expect(await show(matched)).to.include({ parent_step_id: test, branch: 'matched', sort_order: 1 })
    expect(await show(fallback)).to.include({ parent_step_id: test, branch: 'unmatched', sort_order: 1 })
  })

  it('begin anew behind a split, whose branches go on with what follows it', async () => {
    const outer = await split('test')
    const inner = await split('test', { parent_step_id: outer, branch: '1' })
    const [a, b] = [await wait({ parent_step_id: outer, branch: 1 }), await wait()]
    const { steps } = await workflow.structure()
    expect(idsIn(steps)).to.deep.equal([outer, [], [inner, [], [], a], b])
    expect(steps[0]).to.include({ convergence_step_id: b, sort_order: 0 })
    expect(steps[0].variants.map(({ weight }: { weight: number }) => weight)).to.deep.equal([50, 50])
    expect(steps[0].variants[1].steps[0]).to.include({ convergence_step_id: a, sort_order: 0 })
    expect(steps[1]).to.include({ sort_order: 0 })
    expect(await show(inner)).to.include({ convergence_step_id: a, branch: '1', parent_step_id: outer })
    await tenant.api.delete(`/workflows/steps/${a}`)
    expect(await show(inner), 'of the split around it').to.include({ convergence_step_id: b })
    await tenant.api.delete(`/workflows/steps/${b}`)
    expect(await show(inner)).to.include({ convergence_step_id: null })
  })

  it('change within a sequence, into a branch and out of it', async () => {
    const [a, b, c] = [await wait(), await wait(), await wait()]
    const test = await split('test')
    ok(await workflow.change(a, { position: 2 }))
    expect(await order()).to.deep.equal([b, c, a, test, [], []])
    ok(await workflow.change(b, { parent_step_id: test, branch: '0' }))
    ok(await workflow.change(c, { parent_step_id: test, branch: '0', position: 0 }))
    expect(await order()).to.deep.equal([a, test, [c, b], []])
    ok(await workflow.change(b, { position: 0 }))
    expect(await order(), 'a position alone is one in the present sequence').to.deep.equal([a, test, [b, c], []])
    ok(await workflow.change(b, { parent_step_id: null, position: 0 }))
    ok(await workflow.change(c, { after_step_id: test }))
    expect(await order()).to.deep.equal([b, a, test, [], [], c])
    const changed = ok(
      await workflow.change(c, { after_step_id: a, step_type_settings: { delay_step: { duration: 9 } } }),
    )
    expect(changed.step_type_settings.delay_step.duration).to.equal(9)
    expect(await order()).to.deep.equal([b, a, c, test, [], []])
  })

  it('stay as they are when a step is sent back as it was read', async () => {
    const a = await wait()
    const test = await split('test')
    const [b, c] = [
      await wait({ parent_step_id: test, branch: '0' }),
      await wait({ parent_step_id: test, branch: '0' }),
    ]
    const before = [a, test, [b, c], []]
    for (const id of [a, b, c])
      ok(await workflow.change(id, { ...(await show(id)), position: null, after_step_id: null }))
    expect(await order()).to.deep.equal(before)
  })

  it('are refused where they contradict or do not exist', async () => {
    const a = await wait()
    const [conditional, test] = [await split('conditional'), await split('test')]
    const inside = await wait({ parent_step_id: test, branch: '1' })
    const foreign = (await (await workflowOf(tenant)).step(WAIT)).id
    const says = (place: object) => refused(workflow.sendStep(WAIT, place))
    expect(await says({ position: 0, after_step_id: a })).to.equal('position and after_step_id exclude each other')
    expect(await says({ position: 4 })).to.equal('position 4 is out of bounds (0 to 3)')
    expect(await says({ position: -1 })).to.equal('position -1 is out of bounds (0 to 3)')
    expect(await says({ after_step_id: foreign })).to.equal(
      `\`after_step_id\` '${foreign}' was not found in this workspace.`,
    )
    expect(await says({ parent_step_id: foreign, branch: '0' })).to.equal(
      `\`parent_step_id\` '${foreign}' was not found in this workspace.`,
    )
    expect(await says({ parent_step_id: a, branch: '0' })).to.equal('parent_step_id must be a split step')
    expect(await says({ branch: 'matched' })).to.equal('parent_step_id is required when placing in a branch')
    expect(await says({ parent_step_id: conditional, branch: '0' })).to.equal("branch must be 'matched' or 'unmatched'")
    expect(await says({ parent_step_id: conditional })).to.equal("branch must be 'matched' or 'unmatched'")
    expect(await says({ parent_step_id: test, branch: 'matched' })).to.include('a variant index between 0 and 1.')
    expect(await says({ parent_step_id: test, branch: '2' })).to.include('a variant index between 0 and 1.')
    expect(await says({ parent_step_id: test, branch: '0', after_step_id: inside })).to.equal(
      'after_step_id must be a step of the branch',
    )
    expect(await refused(workflow.change(a, { after_step_id: a }))).to.equal('after_step_id cannot be the step itself')
    expect(await refused(workflow.change(test, { position: 0 }))).to.equal('A split step cannot be moved')
    expect(
      await refused(workflow.sendStep({ split_test_step: { variants: [{ weight: 60 }, { weight: 30 }] } })),
    ).to.equal('split_test_step variants must have weights that sum to 100')
    expect(await refused(workflow.sendStep({ split_test_step: { variants: [{ weight: 100 }] } }))).to.equal(
      'split_test_step variants must have exactly 2 entries',
    )
    expect(await order(), 'nothing has changed').to.deep.equal([a, conditional, [], [], test, [], [inside]])
  })

  it('end with the split in whose branches they are, however deep', async () => {
    const outer = await split('test')
    const inner = await split('conditional', { parent_step_id: outer, branch: '0' })
    const deep = await wait({ parent_step_id: inner, branch: 'matched' })
    const last = await wait()
    expect((await tenant.api.delete(`/workflows/steps/${outer}`)).status).to.equal(204)
    for (const id of [outer, inner, deep]) expect((await tenant.api.get(`/workflows/steps/${id}`)).status).to.equal(404)
    expect(await order()).to.deep.equal([last])
    const listed = ok(await tenant.api.get(`${workflow.path}/steps`))
    expect(listed.map(({ id }: { id: number }) => id)).to.deep.equal([last])
  })
})
