import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { ReactorStore, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import type { CheckpointLine, ReactorStoreLine } from './format.ts'
import { PositionMap } from './places.ts'

const ENTRIES_AT_ONCE = 1000

const isCheckpoint = (line: ReactorStoreLine | CheckpointLine): line is CheckpointLine => 'checkpoint' in line

/** Checkpoints and reactor store of an archive. They wait until the positions of its events in the target log are known. */
export class PendingReactorState {
  readonly #places = new PositionMap()
  readonly #lines: (ReactorStoreLine | CheckpointLine)[] = []

  /** Adds a line; called before the first event. */
  add(line: ReactorStoreLine | CheckpointLine): void {
    this.#lines.push(line)
    const position = positionIn(line)
    if (position !== undefined) this.#places.want(position)
  }

  /** Whether the exact target position of the event at a position is needed. */
  wants(position: number): boolean {
    return this.#places.wants(position)
  }

  /** Notes that an event of the archive, named by its position there, is in the log at the position `here`. */
  passed(position: number, here: number): void {
    this.#places.passed(position, here)
  }

  /** Writes all lines; called after the last event. The reactor store comes first, because a checkpoint says that it is written. */
  async write(reactorStore: Pick<ReactorStore, 'write'>, checkpoints: Pick<Checkpoints, 'set'>): Promise<void> {
    const targets = this.#places.all()
    const entries = this.#lines.flatMap((line) => (isCheckpoint(line) ? [] : relocated(targets, line)))
    for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE)
      await reactorStore.write(entries.slice(from, from + ENTRIES_AT_ONCE))
    for (const { checkpoint } of this.#lines.filter(isCheckpoint))
      await checkpoints.set(checkpoint.reactor, targets.get(checkpoint.position)!)
  }
}

const positionIn = (line: ReactorStoreLine | CheckpointLine): number | undefined => {
  if ('checkpoint' in line) return line.checkpoint.position
  if ('owed' in line) return line.owed.position
  if ('dead' in line) return line.dead.position
  if ('behind' in line) return line.after ?? undefined
  return 'reaction' in line ? line.since : undefined
}

const relocated = (targets: ReadonlyMap<number, number>, line: ReactorStoreLine): StoreChange => {
  if ('owed' in line) return { owed: { ...line.owed, position: targets.get(line.owed.position)! } }
  if ('dead' in line) return { dead: { ...line.dead, position: targets.get(line.dead.position)! } }
  if ('behind' in line) return line.after === null ? line : { ...line, after: targets.get(line.after)! }
  return 'reaction' in line ? { ...line, since: targets.get(line.since)! } : line
}
