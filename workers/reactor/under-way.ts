import type { Logger } from 'pino'
import type { PendingTask, ReactorStore, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import { isJsonObject, type Json } from '../../domain/kernel/values/event.ts'
import type { Lane, Task } from './lanes.ts'
import { type deadLetter, owedRow } from './rows.ts'

/** Name of the cursor that is there while a reactor runs, and beginning of the names of those of tasks. */
const RUNNING = 'under-way'
const PREFIX = `${RUNNING}:`

/** Ends of the process in a row, all with one task under way, after which it is tried alone; and after which it is set aside, if it was alone. */
const SUSPECT = 2
const SET_ASIDE = 3

/** How long each task is recorded before it begins, after a process that did not end in order. */
const CAREFUL_MS = 24 * 60 * 60_000

/** What is recorded of a task. */
interface Entry extends Pick<PendingTask, 'lane' | 'position' | 'reaction' | 'gate' | 'workspace_id'> {
  readonly [name: string]: Json
  /** Ends of the process in a row at which it was under way, since it has come further. */
  readonly ends: number
  readonly state: 'known' | 'running' | 'alone' | 'aside'
}

interface UnderWayDeps {
  readonly reactorStore: Pick<ReactorStore, 'cursor' | 'cursors' | 'write'>
  /** Position up to which everything is done or written down. */
  readonly checkpoint: number
  readonly write: (changes: readonly StoreChange[]) => Promise<void>
  readonly logger: Logger
}

const nameOf = ({ lane, position }: Pick<PendingTask, 'lane' | 'position'>): string => `${PREFIX}${lane}@${position}`

const put = (entry: Entry): StoreChange => ({ cursor: nameOf(entry), value: entry })

const take = (key: Pick<PendingTask, 'lane' | 'position'>): StoreChange => ({ cursor: nameOf(key), value: null })

const isEntry = (value: Json): value is Entry =>
  isJsonObject(value) && typeof value.lane === 'string' && typeof value.position === 'number'

/**
 * Knows what was under way when the process ended out of order, and finds the task that ends it again and again. While all is in order it records nothing but that
 * the reactor runs. After another end each task is recorded before it begins. What was under way at two ends in a row is tried alone. If the process ends
 * then too, that is what ended it, and it is set aside. Long work that comes further each time is not: it gets through, however often somebody kills the process.
 */
export class UnderWay {
  readonly #deps: UnderWayDeps
  readonly #entries = new Map<string, Entry>()
  #carefulUntil = 0
  #alone: string | undefined

  constructor(deps: UnderWayDeps) {
    this.#deps = deps
  }

  /** Notes that the reactor runs, and sets aside what ended it. @returns the tasks that are to be tried alone */
  async begin(now: number): Promise<readonly PendingTask[]> {
    const { reactorStore, checkpoint } = this.#deps
    const wasRunning = (await reactorStore.cursor(RUNNING)) !== null
    const changes: StoreChange[] = [{ cursor: RUNNING, value: { since: new Date(now).toISOString() } }]
    for await (const [name, value] of reactorStore.cursors()) {
      if (!name.startsWith(PREFIX) || !isEntry(value)) continue
      const entry = wasRunning ? judged(value) : value
      if (entry.state === 'aside' && value.state !== 'aside') {
        this.#say(entry)
        changes.push({ dead: letterOf(entry, now) }, { settled: entry })
      }
      const isPast = entry.state === 'aside' ? entry.position <= checkpoint : !wasRunning
      if (isPast) changes.push(take(entry))
      else {
        this.#entries.set(name, entry)
        changes.push(put(entry))
      }
    }
    const suspects = [...this.#entries.values()].filter(({ state, ends }) => state === 'known' && ends >= SUSPECT)
    const rows = suspects.map(rowOf)
    await reactorStore.write([...changes, ...rows.map((owed) => ({ owed }))])
    if (wasRunning) this.#carefulUntil = performance.now() + CAREFUL_MS
    return rows
  }

  #say({ reaction, position, workspace_id }: Entry): void {
    const about = { reaction, position, workspace: workspace_id }
    this.#deps.logger.error(about, 'a task was set aside: the process ended whenever it ran; see `millrace failures`')
  }

  /** Whether a task of the log was set aside. */
  isAside(key: Pick<PendingTask, 'lane' | 'position'>): boolean {
    return this.#entries.size > 0 && this.#entries.get(nameOf(key))?.state === 'aside'
  }

  /** Notes which task is tried alone next; `undefined`: the trials are over. */
  tryAlone(key: Pick<PendingTask, 'lane' | 'position'> | undefined): void {
    this.#alone = key && nameOf(key)
  }

  /** Records a task before it begins. @returns `undefined`: nothing need be recorded */
  start(lane: Lane, task: Task): Promise<void> | undefined {
    if (performance.now() > this.#carefulUntil) return undefined
    const { reaction, gate, workspace_id, position } = owedRow(lane, task, null)
    const name = nameOf({ lane: lane.lane, position })
    const ends = this.#entries.get(name)?.ends ?? 0
    const state = this.#alone === name ? 'alone' : 'running'
    const entry = { lane: lane.lane, position, reaction, gate, workspace_id, ends, state } as const
    this.#entries.set(name, entry)
    return this.#deps.write([put(entry)])
  }

  /** Notes that a task has come further than what it may have ended the process at. */
  async advanced(lane: Lane, { event: { position } }: Pick<Task, 'event'>): Promise<void> {
    const entry = this.#entries.get(nameOf({ lane: lane.lane, position }))
    if (!entry || (entry.ends === 0 && entry.state === 'running')) return
    const further = { ...entry, ends: 0, state: 'running' } as const
    this.#entries.set(nameOf(entry), further)
    await this.#deps.write([put(further)])
  }

  /** Notes that a task has ended, or that it has been alone for long enough. */
  async end(lane: Lane, { event: { position } }: Pick<Task, 'event'>): Promise<void> {
    const key = { lane: lane.lane, position }
    if (this.#entries.delete(nameOf(key))) await this.#deps.write([take(key)])
  }

  /** Notes that the reactor ends in order. */
  async stop(): Promise<void> {
    const left = [...this.#entries.values()].filter(({ state }) => state !== 'aside')
    await this.#deps.write([{ cursor: RUNNING, value: null }, ...left.map(take)])
  }
}

/** Returns what an end of the process makes of an entry. */
const judged = (entry: Entry): Entry => {
  if (entry.state === 'aside' || entry.state === 'known') return entry
  const ends = entry.ends + 1
  return { ...entry, ends, state: entry.state === 'alone' && ends >= SET_ASIDE ? 'aside' : 'known' }
}

const rowOf = ({ lane, position, reaction, gate, workspace_id }: Entry): PendingTask => ({
  ...{ lane, position, reaction, gate, workspace_id, attempts: 0, due: 0, error: null },
})

const letterOf = (entry: Entry, now: number): ReturnType<typeof deadLetter> => {
  const { due: _, ...row } = rowOf(entry)
  const error = `the process ended ${entry.ends} times while this was under way, at last with nothing else`
  return { ...row, error, at: new Date(now).toISOString() }
}
