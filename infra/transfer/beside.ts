import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { ReactorStore, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import type { CheckpointLine, ReactorStoreLine } from './format.ts'
import { Places } from './places.ts'

const ENTRIES_AT_ONCE = 1000

const isCheckpoint = (line: ReactorStoreLine | CheckpointLine): line is CheckpointLine => 'checkpoint' in line

/** Checkpoints and books of an archive, which wait until it is known where its events are in the other log. */
export class Beside {
  readonly #places = new Places()
  readonly #lines: (ReactorStoreLine | CheckpointLine)[] = []

  /** Before the first event. */
  add(line: ReactorStoreLine | CheckpointLine): void {
    this.#lines.push(line)
    const position = positionIn(line)
    if (position !== undefined) this.#places.want(position)
  }

  /** Whether it matters where exactly the event at a position comes. */
  wants(position: number): boolean {
    return this.#places.wants(position)
  }

  /** An event of the archive, by its position there, is in the log at this one. */
  passed(position: number, here: number): void {
    this.#places.passed(position, here)
  }

  /** When all have passed. The books come first: a checkpoint says that they are written. */
  async write(reactorStore: Pick<ReactorStore, 'write'>, checkpoints: Pick<Checkpoints, 'set'>): Promise<void> {
    const places = this.#places.all()
    const entries = this.#lines.flatMap((line) => (isCheckpoint(line) ? [] : movedTo(places, line)))
    for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE)
      await reactorStore.write(entries.slice(from, from + ENTRIES_AT_ONCE))
    for (const { checkpoint } of this.#lines.filter(isCheckpoint))
      await checkpoints.set(checkpoint.reactor, places.get(checkpoint.position)!)
  }
}

const positionIn = (line: ReactorStoreLine | CheckpointLine): number | undefined => {
  if ('checkpoint' in line) return line.checkpoint.position
  if ('owed' in line) return line.owed.position
  if ('dead' in line) return line.dead.position
  if ('behind' in line) return line.after ?? undefined
  return 'reaction' in line ? line.since : undefined
}

const movedTo = (places: ReadonlyMap<number, number>, line: ReactorStoreLine): StoreChange => {
  if ('owed' in line) return { owed: { ...line.owed, position: places.get(line.owed.position)! } }
  if ('dead' in line) return { dead: { ...line.dead, position: places.get(line.dead.position)! } }
  if ('behind' in line) return line.after === null ? line : { ...line, after: places.get(line.after)! }
  return 'reaction' in line ? { ...line, since: places.get(line.since)! } : line
}
