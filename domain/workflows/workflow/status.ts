import type { RecordOf } from '../../kernel/model/model.ts'
import type { workflow } from './model.ts'

export const STATUSES = ['draft', 'live', 'archived'] as const

/** Returns the status of a workflow: live if it is enabled and a trigger is active, unless it is archived. */
export const statusOf = ({
  archived,
  enabled,
  active_trigger_ids,
}: Pick<RecordOf<typeof workflow>, 'archived' | 'enabled' | 'active_trigger_ids'>): (typeof STATUSES)[number] => {
  if (archived) return 'archived'
  return enabled && active_trigger_ids.length > 0 ? 'live' : 'draft'
}
