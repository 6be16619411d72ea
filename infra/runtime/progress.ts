import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadModelStore } from '../../domain/kernel/ports/read-models.ts'
import { Waiters } from '../../projections/waiters.ts'

/** How a process knows how far the read models are. */
export interface Progress {
  readonly position: number
  /** Resolves to true once everything up to this position is readable, to false when that took too long. */
  reached(position: number, timeoutMs: number): Promise<boolean>
}

/** Progress where another process projects. */
export interface Watching extends Progress {
  /** Whoever waits is told that it took too long. */
  stop(): Promise<void>
}

/** For each who waits: the more there are, the more wait for the next look together. */
const FIRST_PAUSE_MS = 1
const FULL_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 250
/** The longer nothing has happened, the more seldom it is asked: each pause is this part of the time since. */
const PART = 10
/** Where the store tells, it is asked as well now and then, should something have been missed. */
const TOLD_PAUSE_MS = 1000
const AWAY_PAUSE_MS = 500
/** How long news are listened to when nobody waits any more. */
const LINGERS_MS = 10_000

/**
 * One look at the checkpoint for all who wait. Where the store tells of what it reaches, that is listened to; otherwise it is asked, the more
 * seldom the longer it takes. While nobody waits nothing is asked.
 */
export const watching = (store: Pick<ReadModelStore, 'live' | 'news'>): Watching => new Watcher(store)

class Watcher implements Watching {
  readonly #store: Pick<ReadModelStore, 'live' | 'news'>
  readonly #waiters = new Waiters()
  #position = -1
  /** When somebody began to wait last, or it was heard of a position. */
  #stirredAt = 0
  #looking: Promise<void> | undefined
  #wake: () => void = () => undefined
  #news: Promise<{ close(): Promise<void> } | undefined> | undefined
  #isTold = false
  #lingering: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(store: Pick<ReadModelStore, 'live' | 'news'>) {
    this.#store = store
  }

  get position(): number {
    return this.#position
  }

  async reached(wanted: number, timeoutMs: number): Promise<boolean> {
    if (wanted <= this.#position) return true
    if (this.#isStopped) return false
    const answer = this.#waiters.wait(wanted, timeoutMs)
    this.#stirredAt = performance.now()
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
    await this.#hush()
  }

  async #look(): Promise<void> {
    clearTimeout(this.#lingering)
    this.#listen()
    while (this.#waiters.size > 0) {
      const pause = await this.#ask()
      if (this.#waiters.size > 0) await this.#rest(pause)
    }
    this.#looking = undefined
    if (this.#news) this.#lingering = setTimeout(() => void this.#hush(), LINGERS_MS).unref()
  }

  /** Asks for the checkpoint. @returns how long to wait before it is asked for again; milliseconds */
  async #ask(): Promise<number> {
    try {
      this.#reach(await this.#store.live.checkpoint())
    } catch {
      // Whoever waits longer than the store is away is none the worse for it.
      return AWAY_PAUSE_MS
    }
    if (this.#isTold) return TOLD_PAUSE_MS
    const since = performance.now() - this.#stirredAt
    const first = Math.min(FIRST_PAUSE_MS * this.#waiters.size, FULL_PAUSE_MS)
    return Math.min(Math.max(since / PART, first), LONGEST_PAUSE_MS)
  }

  #reach(position: number): void {
    if (position <= this.#position) return
    this.#position = position
    this.#stirredAt = performance.now()
    this.#waiters.reach(position)
  }

  /** Waits, unless there is a reason to ask before. */
  async #rest(ms: number): Promise<void> {
    const woken = new AbortController()
    this.#wake = () => woken.abort()
    await sleep(ms, undefined, { signal: woken.signal }).catch(() => undefined)
    this.#wake = () => undefined
  }

  #listen(): void {
    if (!this.#store.news || this.#news) return
    const heard = (position?: number) => {
      if (position === undefined) this.#wake()
      else this.#reach(position)
    }
    const ended = () => {
      this.#isTold = false
      this.#news = undefined
      this.#wake()
    }
    this.#news = this.#store.news(heard, ended).catch(() => undefined)
    void this.#news.then((news) => {
      if (!news) return
      this.#isTold = true
      // What was reached before news came is asked for once more.
      this.#wake()
    })
  }

  async #hush(): Promise<void> {
    clearTimeout(this.#lingering)
    const news = await this.#news
    this.#news = undefined
    this.#isTold = false
    await news?.close()
  }
}
