import type { Documents } from '../decide/command.ts'
import type { RecordCommand } from '../decide/rules.ts'
import type { StreamState } from '../decide/stream-state.ts'
import type { FieldTable } from '../model/field.ts'
import type { Model } from '../model/model.ts'
import { humanize } from '../model/parse.ts'
import { getInTurns } from '../ports/get-in-turns.ts'
import type { Document } from '../ports/read-models.ts'
import type { MaybePromise } from '../values/maybe-promise.ts'
import { type Refusal, refuse } from '../values/refusal.ts'
import type { Transaction } from './transaction.ts'

const isElsewhere = (document: Document | undefined, workspaceId: number | undefined): boolean =>
  workspaceId !== undefined && typeof document?.workspace_id === 'number' && document.workspace_id !== workspaceId

/** Returns the refusal of a command for a record of another workspace than the one that it is carried out in. */
export const strangerProblem = (
  { aggregate: { model }, id, workspaceId }: Pick<Transaction, 'aggregate' | 'id' | 'workspaceId'>,
  { documents }: StreamState,
): Refusal | undefined => (isElsewhere(documents[model.name]?.get(id), workspaceId) ? refuse.notFound() : undefined)

const NONE: FieldTable = {}

const attributesOf = ({ attributes, children }: Model, child: string | undefined): FieldTable =>
  child === undefined ? attributes : (children[child]?.model.attributes ?? NONE)

/** Records that a command names in an attribute. */
interface Named {
  readonly name: string
  readonly refersTo: string
  readonly ids: readonly number[]
}

const firstForeign = async (
  all: readonly Named[],
  workspaceId: number | undefined,
  read: Documents,
): Promise<Refusal | undefined> => {
  for (const { name, refersTo, ids } of all) {
    const found = await getInTurns(read, refersTo, ids)
    if (found.some((one) => isElsewhere(one, workspaceId)))
      return refuse.invalid(`${humanize(name)} must exist`, name, 'not_found')
  }
  return undefined
}

/**
 * Returns the refusal of a command that names a record of another workspace in an attribute. Whatever road it came by, no rule has to look. A record
 * that is absent is left to the rules: it may have ended, or may not be readable yet.
 */
export const foreignReference = (
  model: Model,
  { child, wanted }: RecordCommand,
  workspaceId: number | undefined,
  read: Documents,
): MaybePromise<Refusal | undefined> => {
  const attributes = attributesOf(model, child)
  const named = Object.entries(wanted).flatMap(([name, value]): readonly Named[] => {
    const refersTo = attributes[name]?.refersTo
    const ids = refersTo === undefined ? [] : [value].flat().filter((one) => typeof one === 'number')
    return refersTo === undefined || ids.length === 0 ? [] : [{ name, refersTo, ids }]
  })
  return named.length === 0 ? undefined : firstForeign(named, workspaceId, read)
}
