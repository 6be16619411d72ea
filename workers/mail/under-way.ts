import type { Share } from './share.ts'

/** Longest wait of an outcome for others before it is recorded: they share an append, and those that begin next are read and composed together. */
const GATHERED_MS = 25
/** Time without news after which it is looked again whether mails can go. */
const LOOKS_AGAIN_MS = 1000

type Slots = Pick<Share, 'free' | 'hasSpent' | 'isWaiting'>

/** Mails of one mailing that are under way, and the wait for what comes of them. */
export class UnderWay {
  readonly #mails = new Set<Promise<void>>()
  #onNews = () => {}

  get isEmpty(): boolean {
    return this.#mails.size === 0
  }

  begin(mail: Promise<void>): void {
    this.#mails.add(mail)
  }

  end(mail: Promise<void>): void {
    this.#mails.delete(mail)
    this.#onNews()
  }

  /** Wakes who waits: there are slots. */
  wake(): void {
    this.#onNews()
  }

  /** Waits until all have ended. */
  async all(): Promise<void> {
    await Promise.all(this.#mails)
  }

  /** Waits until outcomes came that are worth an append, or slots are free. @returns whether any came in time */
  async some(slots: Slots): Promise<boolean> {
    const looksAgain = performance.now() + LOOKS_AGAIN_MS
    let gathered: number | undefined
    while (!this.isEmpty || slots.isWaiting) {
      if (slots.free > 0 || (slots.hasSpent && this.isEmpty)) return true
      if (slots.hasSpent) gathered ??= performance.now() + GATHERED_MS
      const left = (gathered ?? looksAgain) - performance.now()
      if (left <= 0) return gathered !== undefined
      await this.#news(left)
    }
    return true
  }

  #news(withinMs: number): Promise<void> {
    return new Promise((go) => {
      const timer = setTimeout(go, withinMs)
      this.#onNews = () => {
        clearTimeout(timer)
        go()
      }
    })
  }
}
