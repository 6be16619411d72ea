import { ok } from '../../support/client.ts'
import { inWorkspace, unique } from '../../support/records/making.ts'
import type { Tenant } from '../../support/service.ts'

/** A step or split as the structure shows it. */
export interface ShownStep {
  readonly id: number
  readonly step_type: string
  readonly sort_order: number
  readonly convergence_step_id?: number | null
  readonly branches?: readonly { readonly branch: string; readonly steps: readonly ShownStep[] }[]
  readonly variants?: readonly { readonly weight: number; readonly steps: readonly ShownStep[] }[]
}

/** A workflow under test, and what clients send for it. */
export const workflowOf = async (tenant: Tenant) => {
  const { api } = tenant
  const workflow = ok(await api.post(inWorkspace('/workflows')(tenant), { workflow: { name: unique('Workflow') } }))
  const path = `/workflows/${workflow.id}`
  const sendStep = (settings: object, place: object = {}) =>
    api.post(`${path}/steps`, { workflows_step: { step_type_settings: settings, ...place } })
  const sendTrigger = (fields: object) => api.post(`${path}/triggers`, { workflows_trigger: fields })
  return {
    id: Number(workflow.id),
    path,
    sendStep,
    sendTrigger,
    step: async (settings: object, place: object = {}) => ok(await sendStep(settings, place)),
    trigger: async (fields: object) => ok(await sendTrigger(fields)),
    change: (id: number, fields: object) => api.put(`/workflows/steps/${id}`, { workflows_step: fields }),
    show: async () => ok(await api.get(path)),
    structure: async () => ok(await api.get(`${path}/structure`)),
    enable: () => api.post(`${path}/enable`),
    disable: () => api.post(`${path}/disable`),
  }
}

export type WorkflowUnderTest = Awaited<ReturnType<typeof workflowOf>>

/** Ids of steps in the order of the structure, with those of branches in lists. */
export const idsIn = (steps: readonly ShownStep[]): unknown[] =>
  steps.flatMap(({ id, branches, variants }) => {
    const sides = branches ?? variants
    return sides ? [id, ...sides.map((side) => idsIn(side.steps))] : [id]
  })

export const WAIT = { delay_step: { delay_type: 'relative', duration: 1, interval: 'days' } }
