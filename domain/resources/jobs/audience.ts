import type { Ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import type { Document, Query, Where } from '../../kernel/ports/read-models.ts'
import { isJsonObject, type JsonObject } from '../../kernel/values/event.ts'
import type { Refusal } from '../../kernel/values/refusal.ts'
import type { SelectInput, Selection, WriteInput } from '../operation.ts'

/** The filters that may say whom a job is for. What one looks like is their own affair: a job keeps it, and gives it back. */
export interface AudienceFilters {
  /** Collection of the stored ones. */
  readonly resource: string
  /** What a stored one says now, or why it cannot be used. */
  stored(document: Document): JsonObject | Refusal
  /** What a token says, with what is personal sealed; or why it cannot be read. */
  proposed(
    token: string,
    input: Pick<WriteInput, 'unpack' | 'parseId' | 'owner' | 'read' | 'vault'>,
  ): Promise<JsonObject | Refusal>
  /** A filter with what is personal in the clear, to select by. */
  opened(filter: JsonObject, open: SelectInput['open']): Promise<JsonObject>
  /** The filter that was proposed, or why it cannot be used in this workspace. */
  checked(proposal: JsonObject, read: FactReader, workspaceId: number): Promise<JsonObject | Refusal>
  /** Stores the filter that was proposed with a command, under an id of its own. */
  keep(proposal: JsonObject, id: number): Ask
  /** @param filter opened */
  select(filter: JsonObject, evaluation: Pick<SelectInput, 'at' | 'token'>): Selection
}

/** Which records jobs of one kind can be for. */
export interface Targets {
  readonly resource: string
  /** What `target_all` means. */
  readonly all: Where
  /** Without them nobody is selected by a filter. */
  readonly filters?: AudienceFilters
}

/** Whom a job is for, to be walked in the order of ids unless `sort` says otherwise. */
export type Audience = Pick<Selection, 'where' | 'test'> & Pick<Query, 'sort'>

/**
 * Whom a job is for, from its document.
 *
 * The filter is the one of the moment at which the job was asked for; who meets it is found when the job runs. The contract says the latter
 * only ("re-derives the audience when it runs"); broadcasts, which copy their filter so that later edits and removals change nothing
 * (spec 2.7), say the former, and nobody who schedules an action on few can then reach everybody because the filter is gone.
 *
 * @param document with its filter opened
 * @param evaluation relative dates count from `at`, which is the same however often a job is gone on with
 */
export const audienceOf = (
  { all, filters }: Targets,
  { workspace_id = 0, filter, target_all: isAll, target_ids: ids }: Document,
  evaluation: Pick<SelectInput, 'at' | 'token'>,
): Audience => {
  if (filters && isJsonObject(filter)) {
    const { where, test, beyond } = filters.select(filter, evaluation)
    return { where: { workspace_id, ...(!beyond && all), ...where }, ...(test && { test }) }
  }
  if (isAll === true) return { where: { workspace_id, ...all } }
  return { where: { workspace_id, id: { $in: Array.isArray(ids) ? ids : [] } } }
}
