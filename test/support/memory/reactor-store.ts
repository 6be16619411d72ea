import type {
  DeadLetter,
  DeadLetterQuery,
  LaggingGroup,
  PendingTask,
  ReactorStore,
  RefusedCommand,
  StoreChange,
} from '../../../domain/kernel/ports/reactor-store.ts'
import type { Json } from '../../../domain/kernel/values/event.ts'

type Key = Pick<PendingTask, 'lane' | 'position'>

const KEPT = 1000

const keyOf = ({ lane, position }: Key): string => JSON.stringify([lane, position])

const inOrder = (one: Key, other: Key): number =>
  one.lane === other.lane ? one.position - other.position : one.lane < other.lane ? -1 : 1

const countsOf = (rows: Iterable<{ readonly reaction: string }>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { reaction } of rows) counts.set(reaction, (counts.get(reaction) ?? 0) + 1)
  return counts
}

/** The reactor store in memory. */
export class MemoryReactorStore implements ReactorStore {
  readonly #owed = new Map<string, PendingTask>()
  readonly #dead = new Map<string, DeadLetter>()
  readonly #cursors = new Map<string, Json>()
  readonly #reactions = new Map<string, number>()
  readonly #behind = new Map<string, LaggingGroup>()
  #refused: readonly RefusedCommand[] = []
  #checkpoint: number | undefined

  async write(entries: readonly StoreChange[], checkpoint?: number): Promise<void> {
    for (const entry of entries) this.#apply(entry)
    if (checkpoint !== undefined) this.#checkpoint = checkpoint
  }

  checkpoint(): number | undefined {
    return this.#checkpoint
  }

  reactions(): ReadonlyMap<string, number> {
    return new Map(this.#reactions)
  }

  behind(): readonly LaggingGroup[] {
    return [...this.#behind.values()].sort((one, other) => (one.gate < other.gate ? -1 : 1))
  }

  async *pending(): AsyncGenerator<PendingTask> {
    yield* [...this.#owed.values()].sort(inOrder)
  }

  pendingIn(lane: string, limit: number): readonly PendingTask[] {
    const rows = [...this.#owed.values()].filter((row) => row.lane === lane)
    return rows.sort(inOrder).slice(0, limit)
  }

  cursor(name: string): Json {
    return this.#cursors.get(name) ?? null
  }

  async *cursors(): AsyncGenerator<readonly [name: string, value: Json]> {
    yield* [...this.#cursors]
  }

  deadLetters({ workspaceId, after, limit }: DeadLetterQuery): readonly DeadLetter[] {
    const letters = [...this.#dead.values()].filter(
      (letter) =>
        (workspaceId === undefined || letter.workspace_id === workspaceId) && (!after || inOrder(letter, after) > 0),
    )
    return letters.sort(inOrder).slice(0, limit)
  }

  counts() {
    return { pending: countsOf(this.#owed.values()), deadLetters: countsOf(this.#dead.values()) }
  }

  refusals(workspaceId: number | null, limit: number): readonly RefusedCommand[] {
    return this.#refused.filter(({ workspace_id }) => workspace_id === workspaceId).slice(0, limit)
  }

  #apply(entry: StoreChange): void {
    if ('owed' in entry) this.#owe(entry.owed)
    else if ('settled' in entry) this.#owed.delete(keyOf(entry.settled))
    else if ('dead' in entry) this.#dead.set(keyOf(entry.dead), entry.dead)
    else if ('revived' in entry) this.#dead.delete(keyOf(entry.revived))
    else if ('refused' in entry) this.#refuse(entry.refused)
    else if ('behind' in entry) this.#leave(entry)
    else if ('since' in entry) this.#reactions.set(entry.reaction, entry.since)
    else if (entry.value === null) this.#cursors.delete(entry.cursor)
    else this.#cursors.set(entry.cursor, entry.value)
  }

  #owe(row: PendingTask): void {
    if (row.due !== null || !this.#owed.has(keyOf(row))) this.#owed.set(keyOf(row), row)
  }

  #leave({ behind: gate, reaction, after }: Extract<StoreChange, { readonly behind: string }>): void {
    if (after === null) this.#behind.delete(gate)
    else this.#behind.set(gate, { gate, reaction, after })
  }

  #refuse(refused: RefusedCommand): void {
    const others = this.#refused.filter(({ workspace_id }) => workspace_id !== refused.workspace_id)
    const kept = this.refusals(refused.workspace_id, KEPT - 1)
    this.#refused = [refused, ...kept, ...others]
  }
}
