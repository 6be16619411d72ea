import type { Reader } from '../../kernel/decide/rules.ts'
import { step, version, workflow } from './model.ts'

/** Kinds of records that a workflow needs to go on, by the fields that find its steps and versions. */
const FIELDS = {
  filter: { ofStep: 'filter_id', ofVersion: 'filter_ids' },
  template: { ofStep: 'template_id', ofVersion: 'template_ids' },
} as const

/** Whether a workflow uses a record: in the tree that is edited, or in the version on which runs of an enabled workflow begin. */
export const isUsedByWorkflow = async (
  kind: keyof typeof FIELDS,
  { id, workspace_id = 0 }: { readonly id: number; readonly workspace_id?: number },
  read: Reader,
): Promise<boolean> => {
  const { ofStep, ofVersion } = FIELDS[kind]
  if ((await read.find(step, { where: { workspace_id, [ofStep]: id }, limit: 1 })).length > 0) return true
  const versions = await read.find(version, { where: { workspace_id, [ofVersion]: id } })
  const owners = await read.many(workflow, [...new Set(versions.map(({ workflow_id }) => workflow_id))])
  return owners.some(({ enabled, version_id }) => enabled && versions.some((one) => one.id === version_id))
}
