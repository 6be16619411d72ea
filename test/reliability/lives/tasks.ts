import type { Json, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import type { Outcome, Reaction, TaskTurn } from '../../../workers/reactor/reaction.ts'

/** A reaction to an event in one of its lanes. */
export interface Task {
  readonly name: string
  readonly lane: string
  readonly reaction: string
  readonly event: RecordedEvent
}

/** What of the tasks is on disk. */
interface Written {
  readonly settled: ReadonlySet<string>
  readonly cursors: ReadonlyMap<string, Json>
}

const concerns = ({ on, concerns: does }: Reaction, event: RecordedEvent): boolean =>
  on === 'all' ? does?.(event) === true : on.includes(event.type)

/**
 * Tasks in place of a reactor and its store. That a task is done is written down some time later, so that a kill delivers it
 * again; its cursor is written at once.
 */
export class Tasks {
  readonly #lanes = new Map<string, Task[]>()
  /** Lanes with something to do, and the number of tasks at their beginning that are done. */
  readonly #open = new Map<string, number>()
  readonly #due = new Map<string, number>()
  readonly #failures = new Map<string, number>()
  readonly #unwritten = new Set<string>()
  #settled = new Set<string>()
  #cursors = new Map<string, Json>()
  /** Tasks that were given up, and refusals of timers: neither should be. */
  readonly failed: string[] = []

  /** Adds the tasks for an event. */
  take(event: RecordedEvent, reactions: readonly Reaction[]): void {
    for (const reaction of reactions.filter((one) => concerns(one, event)))
      for (const { lane } of reaction.places(event)) {
        const tasks = this.#lanes.get(lane) ?? []
        tasks.push({ name: `${lane}@${event.position}`, lane, reaction: reaction.name, event })
        this.#lanes.set(lane, tasks)
        if (!this.#open.has(lane)) this.#open.set(lane, tasks.length - 1)
      }
  }

  /** Returns the first task of each lane. */
  firsts(): readonly Task[] {
    return [...this.#open].map(([lane, done]) => this.#lanes.get(lane)![done]!)
  }

  isOpen(lane: string): boolean {
    return this.#open.has(lane)
  }

  /** Returns when a task is to be tried, in milliseconds since 1970. */
  dueOf({ name }: Task): number {
    return this.#due.get(name) ?? 0
  }

  turnOf({ name, lane }: Task): TaskTurn {
    return {
      lane,
      write: () => {
        throw new Error('nothing here looks at whole writes')
      },
      stopping: () => false,
      advanced: async () => undefined,
      cursor: () => this.#cursors.get(name) ?? null,
      saveCursor: async (value) => {
        this.#cursors.set(name, value)
      },
    }
  }

  /** Takes the outcome of an attempt. */
  after(task: Task, outcome: Outcome): void {
    if (outcome.came === 'early') this.#due.set(task.name, outcome.notBefore)
    else this.#settle(task)
  }

  /** Takes the failure of an attempt. */
  afterFailure(task: Task, { maxAttempts }: Reaction, error: unknown, again: number): void {
    const failures = (this.#failures.get(task.name) ?? 0) + 1
    this.#failures.set(task.name, failures)
    this.#due.set(task.name, again)
    if (failures < maxAttempts) return
    this.failed.push(`${task.name} (${task.event.type}) was given up: ${error}`)
    this.#settle(task)
  }

  /** Writes down what is done. */
  write(): void {
    for (const name of this.#unwritten) this.#cursors.delete(name)
    this.#unwritten.clear()
  }

  /** Returns a copy of what is on disk. */
  copy(): Written {
    const settled = new Set([...this.#settled].filter((name) => !this.#unwritten.has(name)))
    return { settled, cursors: new Map(this.#cursors) }
  }

  /** Begins again with what is on disk, or with an older copy of it. */
  restart(from: Written = this.copy()): void {
    this.#settled = new Set(from.settled)
    this.#cursors = new Map(from.cursors)
    this.#unwritten.clear()
    this.#due.clear()
    for (const [lane, tasks] of this.#lanes) {
      // A lane is done in order, so what comes before the first open task is done.
      const done = tasks.findIndex(({ name }) => !this.#settled.has(name))
      if (done < 0) this.#open.delete(lane)
      else this.#open.set(lane, done)
    }
  }

  #settle({ name, lane }: Task): void {
    this.#settled.add(name)
    this.#unwritten.add(name)
    const done = (this.#open.get(lane) ?? 0) + 1
    if (done < this.#lanes.get(lane)!.length) this.#open.set(lane, done)
    else this.#open.delete(lane)
  }
}
