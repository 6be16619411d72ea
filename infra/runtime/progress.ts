import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadModelStore } from '../../domain/kernel/ports/read-models.ts'
import { Waiters } from '../../projections/waiters.ts'

/** Progress of the read models, as a process knows it. */
export interface Progress {
  readonly position: number
  /** Resolves to true once everything up to this position is readable, to false when that took too long. */
  reached(position: number, timeoutMs: number): Promise<boolean>
}

/** Progress where another process projects. */
export interface Watching extends Progress {
  /** Resolves all waits to false. */
  stop(): Promise<void>
}

/** Pause for each waiting caller. The more callers there are, the more of them share the next read. */
const FIRST_PAUSE_MS = 1
const FULL_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 250
/** Each pause is this fraction of the time since something last happened, so that reads become rarer. */
const PART = 10
/** Pause where the store sends news. It is still read now and then, in case some news was missed. */
const TOLD_PAUSE_MS = 1000
const AWAY_PAUSE_MS = 500
/** How long it still listens to news when nobody waits any more. */
const LINGERS_MS = 10_000

/**
 * Watches the checkpoint, with one read for all waiting callers. It listens to the store's news of new positions, where
 * there are any. Otherwise it polls, less often the longer a wait takes. While nobody waits, nothing is read.
 */
export const watching = (store: Pick<ReadModelStore, 'live' | 'news'>): Watching => new Watcher(store)

class Watcher implements Watching {
  readonly #store: Pick<ReadModelStore, 'live' | 'news'>
  readonly #waiters = new Waiters()
  #position = -1
  /** Time at which a wait last began, or a new position was last seen. */
  #activeAt = 0
  #looking: Promise<void> | undefined
  #wake: () => void = () => undefined
  #news: Promise<{ close(): Promise<void> } | undefined> | undefined
  #hasNews = false
  #lingering: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(store: Pick<ReadModelStore, 'live' | 'news'>) {
    this.#store = store
  }

  get position(): number {
    return this.#position
  }

  async reached(position: number, timeoutMs: number): Promise<boolean> {
    if (position <= this.#position) return true
    if (this.#isStopped) return false
    const answer = this.#waiters.wait(position, timeoutMs)
    this.#activeAt = performance.now()
    this.#wake()
    this.#looking ??= this.#look()
    const isReached = await answer
    if (this.#waiters.size === 0) this.#wake()
    return isReached
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#waiters.giveUp()
    this.#wake()
    await this.#looking
    await this.#stopListening()
  }

  async #look(): Promise<void> {
    clearTimeout(this.#lingering)
    this.#listen()
    while (this.#waiters.size > 0) {
      const pause = await this.#read()
      if (this.#waiters.size > 0) await this.#pause(pause)
    }
    this.#looking = undefined
    if (this.#news) this.#lingering = setTimeout(() => void this.#stopListening(), LINGERS_MS).unref()
  }

  /** Reads the checkpoint. @returns the pause before the next read; milliseconds */
  async #read(): Promise<number> {
    try {
      this.#reach(await this.#store.live.checkpoint())
    } catch {
      // A caller that waits longer than the outage lasts does not notice it.
      return AWAY_PAUSE_MS
    }
    if (this.#hasNews) return TOLD_PAUSE_MS
    const since = performance.now() - this.#activeAt
    const first = Math.min(FIRST_PAUSE_MS * this.#waiters.size, FULL_PAUSE_MS)
    return Math.min(Math.max(since / PART, first), LONGEST_PAUSE_MS)
  }

  #reach(position: number): void {
    if (position <= this.#position) return
    this.#position = position
    this.#activeAt = performance.now()
    this.#waiters.reach(position)
  }

  /** Pauses, unless there is a reason to read earlier. */
  async #pause(ms: number): Promise<void> {
    const woken = new AbortController()
    this.#wake = () => woken.abort()
    await sleep(ms, undefined, { signal: woken.signal }).catch(() => undefined)
    this.#wake = () => undefined
  }

  #listen(): void {
    if (!this.#store.news || this.#news) return
    const onNews = (position?: number) => {
      if (position === undefined) this.#wake()
      else this.#reach(position)
    }
    const onEnd = () => {
      this.#hasNews = false
      this.#news = undefined
      this.#wake()
    }
    this.#news = this.#store.news(onNews, onEnd).catch(() => undefined)
    void this.#news.then((news) => {
      if (!news) return
      this.#hasNews = true
      // Reads once more, for positions that were reached before the news began.
      this.#wake()
    })
  }

  async #stopListening(): Promise<void> {
    clearTimeout(this.#lingering)
    const news = await this.#news
    this.#news = undefined
    this.#hasNews = false
    await news?.close()
  }
}
