import type { MailRate } from './mail-deps.ts'

/**
 * Keeps the rate of each sending domain: in any stretch of the time that the rate names, at most so many mails begin. It begins with the times that the
 * deliveries on record were taken at, so a restart forgets none.
 */
export class Pace {
  readonly #rate: MailRate
  readonly #recorded: (domain: string, since: number) => Promise<readonly number[]>
  readonly #times = new Map<string, number[]>()
  readonly #loading = new Map<string, Promise<number[]>>()

  /** @param recorded returns when mails of a domain were taken since a time, in any order; milliseconds since 1970 */
  constructor(rate: MailRate, recorded: (domain: string, since: number) => Promise<readonly number[]>) {
    this.#rate = rate
    this.#recorded = recorded
  }

  /** Takes places for mails that begin now. @returns how many there are, and when the next is free */
  async take(domain: string, wanted: number, now: number): Promise<{ readonly places: number; readonly next: number }> {
    const { mails, perMs } = this.#rate
    const times = this.#times.get(domain) ?? (await this.#load(domain, now))
    while (times.length > 0 && times[0]! <= now - perMs) times.shift()
    const places = Math.max(0, Math.min(wanted, mails - times.length))
    for (let place = 0; place < places; place++) times.push(now)
    return { places, next: times.length < mails ? now : times[0]! + perMs }
  }

  #load(domain: string, now: number): Promise<number[]> {
    const loading = this.#loading.get(domain) ?? this.#read(domain, now)
    this.#loading.set(domain, loading)
    return loading
  }

  async #read(domain: string, now: number): Promise<number[]> {
    const times = [...(await this.#recorded(domain, now - this.#rate.perMs))].sort((a, b) => a - b)
    this.#times.set(domain, times)
    this.#loading.delete(domain)
    return times
  }
}
