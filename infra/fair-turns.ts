import { refuse } from '../domain/kernel/values/refusal.ts'

export interface TurnLimits {
  /** How many tasks run at a time: of all keys together, and of one. */
  readonly atOnce: number
  readonly perKey: number
  /** How many tasks of a key may wait. */
  readonly waitingPerKey: number
  /** How long a task waits for its turn. */
  readonly waitMs: number
}

/** Error for a task that did not begin, because too many of its key were before it. */
export class NoTurn extends Error {}

/** Throws an error as it is, but `NoTurn` as a refusal that asks the client to come back. @throws {Refusal} unavailable */
export const laterIfNoTurn =
  (message: string) =>
  (error: unknown): never => {
    throw error instanceof NoTurn ? refuse.unavailable(message, 10) : error
  }

interface Queue {
  running: number
  readonly waiting: Set<() => void>
}

/** Runs tasks in turns: of all keys that have tasks waiting, the one whose last turn was longest ago comes next. */
export interface FairTurns {
  /** @throws {NoTurn} when too many tasks of the key wait, or the task has waited for too long */
  run<T>(key: number, task: () => Promise<T>): Promise<T>
}

export const fairTurns = ({ atOnce, perKey, waitingPerKey, waitMs }: TurnLimits): FairTurns => {
  /** In the order of their last turns. */
  const queues = new Map<number, Queue>()
  let running = 0

  const moveToEnd = (key: number, queue: Queue): void => {
    queues.delete(key)
    queues.set(key, queue)
  }
  const startNext = (): void => {
    if (running >= atOnce) return
    for (const [key, queue] of queues) {
      const [begin] = queue.waiting
      if (!begin || queue.running >= perKey) continue
      queue.waiting.delete(begin)
      moveToEnd(key, queue)
      running += 1
      queue.running += 1
      begin()
      return
    }
  }
  const forgetIdle = (key: number, queue: Queue): void => {
    if (queue.running === 0 && queue.waiting.size === 0) queues.delete(key)
  }
  const end = (key: number, queue: Queue): void => {
    running -= 1
    queue.running -= 1
    moveToEnd(key, queue)
    forgetIdle(key, queue)
    startNext()
  }
  const turnOf = (key: number, queue: Queue): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.waiting.delete(begin)
        forgetIdle(key, queue)
        reject(new NoTurn('too long'))
      }, waitMs).unref()
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      queue.waiting.add(begin)
      startNext()
    })
  return {
    async run(key, task) {
      const queue = queues.get(key) ?? { running: 0, waiting: new Set() }
      queues.set(key, queue)
      if (queue.waiting.size >= waitingPerKey) throw new NoTurn('too many')
      await turnOf(key, queue)
      try {
        return await task()
      } finally {
        end(key, queue)
      }
    },
  }
}
