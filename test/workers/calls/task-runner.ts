import type { Json, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import type { Outcome, Reaction, TaskTurn } from '../../../workers/reactor/reaction.ts'

/** Reads the events of a process. */
type Story = () => Promise<readonly RecordedEvent[]>

interface Task {
  readonly reaction: Reaction
  readonly event: RecordedEvent
  readonly lane: string
  readonly name: string
}

const concerns = ({ on, concerns: does }: Reaction, event: RecordedEvent): boolean =>
  on === 'all' ? does?.(event) === true : on.includes(event.type)

/**
 * Runs one process in place of a reactor, one attempt at a time. Time passes only when nothing else is left to do. Its state survives a
 * kill, as the reactor store does.
 */
export class TaskRunner {
  readonly #story: Story
  readonly #cursors = new Map<string, Json>()
  readonly #settled = new Set<string>()
  readonly #due = new Map<string, number>()
  now: number

  constructor(story: Story, now: number) {
    this.#story = story
    this.now = now
  }

  /** Delivers all settled tasks again, as after a kill before the checkpoint was written. */
  redeliver(): void {
    this.#settled.clear()
  }

  /** Makes one attempt of the task that is due first in its lane. @returns its outcome, or `undefined` when no task is left */
  async carryOn(
    reactions: readonly Reaction[],
    through: (turn: TaskTurn) => TaskTurn,
  ): Promise<Outcome | 'threw' | undefined> {
    const tasks = await this.#tasks(reactions)
    const first = tasks.sort((one, other) => this.#dueOf(one) - this.#dueOf(other))[0]
    if (!first) return undefined
    const { name, lane, reaction, event } = first
    this.now = Math.max(this.now, this.#dueOf(first))
    const turn = through({
      lane,
      write: () => {
        throw new Error('a process does not look at whole writes')
      },
      stopping: () => false,
      advanced: async () => undefined,
      cursor: () => this.#cursors.get(name) ?? null,
      saveCursor: async (value) => {
        this.#cursors.set(name, value)
      },
    })
    try {
      const outcome = await reaction.react(event, turn)
      if (outcome.came === 'early') this.#due.set(name, outcome.notBefore)
      else this.#settle(name)
      return outcome
    } catch {
      return 'threw'
    }
  }

  #settle(name: string): void {
    this.#settled.add(name)
    this.#cursors.delete(name)
  }

  #dueOf({ name }: Task): number {
    return this.#due.get(name) ?? 0
  }

  /** The first task of each lane. */
  async #tasks(reactions: readonly Reaction[]): Promise<Task[]> {
    const first = new Map<string, Task>()
    for (const event of await this.#story())
      for (const reaction of reactions)
        for (const { lane } of concerns(reaction, event) ? reaction.places(event) : []) {
          const name = `${lane}@${event.position}`
          if (!first.has(lane) && !this.#settled.has(name)) first.set(lane, { reaction, event, lane, name })
        }
    return [...first.values()]
  }
}
