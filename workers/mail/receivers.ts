import type { Taking } from '../../domain/emails/mailing/model.ts'
import { type ReceivingRates, rateOfReceiver } from '../../domain/emails/rates/notation.ts'
import { Window } from './window.ts'

/** Domains beyond which those are forgotten that no mail has gone to lately. */
const REMEMBERED = 10_000

/** Places of mails to receiving domains, as far as those have rates. */
export class Receivers {
  readonly #rates: ReceivingRates
  readonly #windows: Map<string, Window>

  constructor(rates: ReceivingRates, windows: Map<string, Window>) {
    this.#rates = rates
    this.#windows = windows
  }

  /** Begins with the mails on record. */
  static async since(
    rates: ReceivingRates,
    now: number,
    recorded: (since: number) => Promise<ReadonlyMap<string, readonly Taking[]>>,
  ): Promise<Receivers> {
    const all = [...rates.of.values(), ...(rates.others ? [rates.others] : [])]
    const windows = new Map<string, Window>()
    if (all.length === 0) return new Receivers(rates, windows)
    for (const [domain, taken] of await recorded(now - Math.max(...all.map(({ perMs }) => perMs)))) {
      const rate = rateOfReceiver(rates, domain)
      if (rate) windows.set(domain, new Window(rate.perMs, taken))
    }
    return new Receivers(rates, windows)
  }

  /** Takes a place for a mail that begins now. @returns when the next one is free, where there is none; `undefined`: it was taken */
  take(domain: string, now: number): number | undefined {
    const rate = rateOfReceiver(this.#rates, domain)
    if (!rate) return undefined
    const window = this.#windows.get(domain) ?? new Window(rate.perMs)
    if (window.free(rate, now) === 0) return window.next(rate, now)
    window.take(1, now)
    this.#windows.set(domain, window)
    if (this.#windows.size > REMEMBERED) this.#forget(now)
    return undefined
  }

  /** Gives a place back that no mail used. */
  giveBack(domain: string): void {
    this.#windows.get(domain)?.giveBack()
  }

  #forget(now: number): void {
    for (const [domain, window] of this.#windows) {
      const rate = rateOfReceiver(this.#rates, domain)
      if (!rate || window.free(rate, now) === rate.mails) this.#windows.delete(domain)
    }
  }
}
