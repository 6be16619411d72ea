import { expect } from 'chai'
import { ok } from '../../../support/client.ts'
import { eventually } from '../../../support/eventually.ts'
import { recordMakers } from '../../../support/records.ts'
import type { Tenant } from '../../../support/service.ts'
import { type WorkflowUnderTest, workflowOf } from '../making.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export const addTags = (...contacts_tag_ids: number[]) => ({
  contact_tag_step: { action: 'Add Tags', contacts_tag_ids },
})
export const removeTags = (...contacts_tag_ids: number[]) => ({
  contact_tag_step: { action: 'Remove Tags', contacts_tag_ids },
})

/** What suites about runs do in a workspace. */
export const enrolling = (tenant: Tenant) => {
  const { api, workspaceId } = tenant
  const make = (kind: string) => recordMakers[kind]!.make(tenant)
  const applyTag = async (contact: number, tag_id: number) =>
    ok(await api.post(`/contacts/${contact}/applied_tags`, { contacts_applied_tag: { tag_id } }))
  const runsOf = async ({ id }: Pick<WorkflowUnderTest, 'id'>, query = '') =>
    ok(await api.get(`/workflows/${id}/runs${query}`)) as readonly { readonly id: number; readonly status: string }[]
  const trace = async (run: number) => ok(await api.get(`/workflows/runs/${run}/trace`))
  const clock = `/workspaces/${workspaceId}/test_clock`
  return {
    make,
    applyTag,
    runsOf,
    trace,
    /** Makes a workflow that a tag starts, and enables it. */
    async startedBy(tag: number, ...steps: readonly object[]): Promise<WorkflowUnderTest> {
      const workflow = await workflowOf(tenant)
      await workflow.trigger({ event_type_key: '$contact.tag_applied', contacts_tag_id: tag })
      for (const one of steps) await workflow.step(one)
      ok(await workflow.enable())
      return workflow
    },
    /** Waits for the only run of a workflow in a status. */
    async runIn(workflow: Pick<WorkflowUnderTest, 'id'>, status: string): Promise<number> {
      let found = 0
      await eventually(async () => {
        const shown = await runsOf(workflow)
        expect(shown.map((one) => one.status)).to.deep.equal([status])
        found = shown[0]!.id
      })
      return found
    },
    tagsOf: async (contact: number): Promise<readonly number[]> =>
      ok(await api.get(`/contacts/${contact}/applied_tags`)).map(({ tag_id }: { tag_id: number }) => tag_id),
    enrol: (workflow: Pick<WorkflowUnderTest, 'id'>, run: object) =>
      api.post(`/workflows/${workflow.id}/runs`, { run }),
    /** Names and outcomes of the steps that a run has passed. */
    passed: async (run: number): Promise<readonly (readonly [string, string])[]> =>
      (await trace(run)).steps.map((one: { step_type: string; outcome: string }) => [one.step_type, one.outcome]),
    /** Moves the clock of the test workspace. */
    async later(days: number): Promise<void> {
      const { now } = ok(await api.get(clock))
      ok(await api.post(clock, { to: new Date(Date.parse(now) + days * DAY_MS).toISOString() }))
      await eventually(async () => expect(ok(await api.get(clock)).state).to.equal('ready'))
    },
    soon: (check: () => Promise<unknown>) => eventually(check),
  }
}

export type Enrolling = ReturnType<typeof enrolling>
