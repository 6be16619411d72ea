import { randomBytes } from 'node:crypto'
import type {
  DeadLetter,
  LaggingGroup,
  PendingTask,
  RefusedCommand,
  StoreChange,
} from '../../domain/kernel/ports/reactor-store.ts'

type Keyed<T> = T & { readonly _id: string }

export type PendingTaskRow = Keyed<PendingTask>
export type DeadRow = Keyed<DeadLetter>
export type RefusedRow = Keyed<RefusedCommand>
/** Value as JSON text: MongoDB restricts the names of fields. */
export type CursorRow = Keyed<{ readonly value: string }>
export type BehindRow = Keyed<Pick<LaggingGroup, 'reaction' | 'after'>>
export type ReactionRow = Keyed<{ readonly since: number }>

type TaskKey = Pick<PendingTask, 'lane' | 'position'>

/** Number of digits of the greatest possible position. */
const DIGITS = 16
/** Sorts before every character in the name of a lane, so that keys are ordered as lanes are. */
const SEPARATOR = '\t'
/** Character after the separator: the upper bound of the keys in a lane. */
const BEHIND_SEPARATOR = '\n'

/** Returns the key of a row. Keys are ordered by lane and position, so that queries by either need no other index. */
export const keyOf = ({ lane, position }: TaskKey): string =>
  `${lane}${SEPARATOR}${String(position).padStart(DIGITS, '0')}`

/** Returns the range of all keys in a lane. */
export const keysIn = (lane: string) => ({ $gt: `${lane}${SEPARATOR}`, $lt: `${lane}${BEHIND_SEPARATOR}` })

/** Returns the range of keys of a workspace's refusals, which are in the order of writing. `0` is the character after `/`. */
export const refusalKeysOf = (workspaceId: number | null) => {
  const name = workspaceId ?? 'none'
  return { $gt: `${name}/`, $lt: `${name}0` }
}

const hex = (number: number): string => number.toString(16).padStart(8, '0')

/**
 * Returns a function that names rows. Those of one process are in the order of their names, even when the clock goes back.
 *
 * @param now milliseconds since 1970
 */
export const namesInOrder = (now = Date.now): (() => string) => {
  const own = randomBytes(4).toString('hex')
  let seconds = 0
  let count = 0
  return () => {
    seconds = Math.max(seconds, Math.floor(now() / 1000))
    return `${hex(seconds)}${hex(count++)}${own}`
  }
}

const nextName = namesInOrder()

const refusalKey = ({ workspace_id }: RefusedCommand): string => `${workspace_id ?? 'none'}/${nextName()}`

/** Changes to the rows of a collection. The last change of each row counts. */
export class Changes<Row extends { readonly _id: string }> {
  readonly puts = new Map<string, Row>()
  /** Keys of `puts` that leave an existing row as it is. */
  readonly kept = new Set<string>()
  readonly removals = new Set<string>()

  put(row: Row): void {
    this.removals.delete(row._id)
    this.kept.delete(row._id)
    this.puts.set(row._id, row)
  }

  /** Puts a row unless there is one already. */
  keep(row: Row): void {
    if (this.puts.has(row._id)) return
    const isGone = this.removals.has(row._id)
    this.put(row)
    if (!isGone) this.kept.add(row._id)
  }

  remove(id: string): void {
    this.puts.delete(id)
    this.removals.add(id)
  }
}

/** Sorts entries by the collections that they change. */
export const changesOf = (entries: readonly StoreChange[]) => {
  const owed = new Changes<PendingTaskRow>()
  const dead = new Changes<DeadRow>()
  const refused = new Changes<RefusedRow>()
  const cursors = new Changes<CursorRow>()
  const reactions = new Changes<ReactionRow>()
  const behind = new Changes<BehindRow>()
  for (const entry of entries) {
    if ('owed' in entry) owed[entry.owed.due === null ? 'keep' : 'put']({ _id: keyOf(entry.owed), ...entry.owed })
    else if ('settled' in entry) owed.remove(keyOf(entry.settled))
    else if ('dead' in entry) dead.put({ _id: keyOf(entry.dead), ...entry.dead })
    else if ('revived' in entry) dead.remove(keyOf(entry.revived))
    else if ('refused' in entry) refused.put({ _id: refusalKey(entry.refused), ...entry.refused })
    else if ('behind' in entry) changeBehind(behind, entry)
    else if ('reaction' in entry) reactions.put({ _id: entry.reaction, since: entry.since })
    else if (entry.value === null) cursors.remove(entry.cursor)
    else cursors.put({ _id: entry.cursor, value: JSON.stringify(entry.value) })
  }
  return { owed, dead, refused, cursors, reactions, behind }
}

const changeBehind = (
  changes: Changes<BehindRow>,
  { behind: _id, reaction, after }: Extract<StoreChange, { readonly behind: string }>,
): void => (after === null ? changes.remove(_id) : changes.put({ _id, reaction, after }))
