import type { Ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import type { Document, Query, Where } from '../../kernel/ports/read-models.ts'
import { isJsonObject, type JsonObject } from '../../kernel/values/event.ts'
import type { Refusal } from '../../kernel/values/refusal.ts'
import type { SelectInput, Selection, WriteInput } from '../operation.ts'

/** Filters by which a job can select its targets. The form of a filter is opaque to jobs: they store it and pass it back. */
export interface AudienceFilters {
  /** Collection of stored filters. */
  readonly resource: string
  /** Returns a stored filter as it is now, or why it cannot be used. */
  stored(document: Document): JsonObject | Refusal
  /** Returns the filter in a token, its personal values sealed; or why the token cannot be read. */
  proposed(
    token: string,
    input: Pick<WriteInput, 'caller' | 'unpack' | 'parseId' | 'document' | 'owner' | 'read' | 'vault'>,
  ): Promise<JsonObject | Refusal>
  /** Returns a filter with its personal values in the clear, to select by. */
  opened(filter: JsonObject, open: SelectInput['open']): Promise<JsonObject>
  /** Returns a proposed filter, or why it cannot be used in this workspace. */
  checked(proposal: JsonObject, read: FactReader, workspaceId: number): Promise<JsonObject | Refusal>
  /** Returns the command that stores a proposed filter under an id of its own. */
  keep(proposal: JsonObject, id: number): Ask
  /** Returns the records that match. @param filter the filter, opened */
  select(filter: JsonObject, evaluation: Pick<SelectInput, 'at' | 'token'>): Selection
}

/** Records to which a kind of job can be applied. */
export interface Targets {
  readonly resource: string
  /** Conditions that `target_all` stands for. */
  readonly all: Where
  /** If absent, no filter can select targets. */
  readonly filters?: AudienceFilters
  /** Field of the targets, and of the job, with the id of the record that it is for: only its targets are reached. Default: all of the workspace. */
  readonly within?: string
}

/** Targets of a job, to be processed in the order of ids unless `sort` says otherwise. */
export type Audience = Pick<Selection, 'where' | 'through' | 'test' | 'lookUp'> &
  Pick<Query, 'sort'> & {
    /** Records that began later are no targets. Default: all are. */
    readonly until?: string
  }

/**
 * Returns the targets of a job from its document.
 *
 * The filter is the one that the job was requested with; its matches are determined when the job runs. The contract only says the second
 * ("re-derives the audience when it runs"). The first follows from broadcasts, which copy their filter so that later edits and removals change
 * nothing (spec 2.7). It also ensures that an action scheduled for few records cannot reach all of them because its filter was removed.
 *
 * @param document document of the job, its filter opened
 * @param evaluation relative dates count from `at`, which stays the same however often the job is resumed
 */
export const audienceOf = (
  { all, filters, within }: Targets,
  document: Document,
  evaluation: Pick<SelectInput, 'at' | 'token'>,
): Audience => {
  const { workspace_id = 0, filter, target_all: isAll, target_ids: ids } = document
  const own = within === undefined ? {} : { [within]: document[within] ?? 0 }
  if (filters && isJsonObject(filter)) {
    const { where, beyond, ...selection } = filters.select(filter, evaluation)
    return { where: { workspace_id, ...(!beyond && all), ...where }, ...selection }
  }
  if (isAll === true) return { where: { workspace_id, ...own, ...all } }
  return { where: { workspace_id, ...own, id: { $in: Array.isArray(ids) ? ids : [] } } }
}
