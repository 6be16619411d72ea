import type { Reader } from '../../kernel/decide/rules.ts'
import { idIn } from '../../kernel/values/ids.ts'

// It imports no model: the declarations of steps import the families that ask here.
const [STEPS, VERSIONS, WORKFLOWS] = ['workflows/step', 'workflows/version', 'workflow']

/** Kinds of records that a workflow needs to go on, by the fields that find its steps and versions. */
const FIELDS = {
  filter: { ofStep: 'filter_id', ofVersion: 'filter_ids' },
  template: { ofStep: 'template_id', ofVersion: 'template_ids' },
} as const

/** Whether a workflow uses a record: in the tree that is edited, or in the version on which runs of an enabled workflow begin. */
export const isUsedByWorkflow = async (
  kind: keyof typeof FIELDS,
  { id, workspace_id = 0 }: { readonly id: number; readonly workspace_id?: number },
  { documents }: Reader,
): Promise<boolean> => {
  const { ofStep, ofVersion } = FIELDS[kind]
  if ((await documents.find(STEPS, { where: { workspace_id, [ofStep]: id }, limit: 1 })).length > 0) return true
  const versions = await documents.find(VERSIONS, { where: { workspace_id, [ofVersion]: id } })
  const ids = versions.flatMap(({ workflow_id }) => idIn(workflow_id) ?? [])
  const owners = await documents.getMany(WORKFLOWS, [...new Set(ids)])
  return owners.some((of) => of?.enabled === true && versions.some((one) => one.id === of.version_id))
}

/** Returns in words which step names one of these spaces; `undefined` where none does. */
export const stepNamingSpace = async (
  { workspaceId: workspace_id, spaceIds }: { readonly workspaceId: number; readonly spaceIds: readonly number[] },
  { documents }: Reader,
): Promise<string | undefined> => {
  const where = { workspace_id, space_ids: { $in: spaceIds } }
  const [named] = spaceIds.length === 0 ? [] : await documents.find(STEPS, { where, limit: 1 })
  if (!named) return undefined
  const of = await documents.get(WORKFLOWS, Number(named.workflow_id))
  return `the step ${named.name ?? named.step_type} of the workflow ${of?.name ?? named.workflow_id}`
}
