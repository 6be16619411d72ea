import type { Taking } from '../../domain/emails/mailing/model.ts'
import type { MailRate, MailRates } from '../../domain/emails/rates/notation.ts'
import { type DayCounts, dayOf, limitOn, nextDay } from '../../domain/emails/rates/warm-up.ts'
import { Receivers } from './receivers.ts'
import { Window } from './window.ts'

/** How long a mail that is owed keeps its place before marketing, in milliseconds. */
const OWED_FIRST_MS = 60_000

/** What is on record of mails that were handed over, so that a restart forgets none. */
export interface RecordedMails {
  /** Returns when mails of a sending domain were taken since a time. */
  taken(domain: string, since: number): Promise<readonly Taking[]>
  /** Returns when mails to each receiving domain were taken since a time. */
  received(since: number): Promise<ReadonlyMap<string, readonly Taking[]>>
  /** Returns the mails of a sending domain by day. */
  days(domain: string): Promise<DayCounts>
}

/** Mails that would begin now. */
export interface WantedMails {
  readonly domain: string
  readonly class: 'owed' | 'marketing'
  readonly count: number
}

export interface Allowed {
  readonly places: number
  /** When the next place is free. */
  readonly next: number
}

/**
 * Keeps the rates of sending and receiving domains, and warms new sending domains up. In any stretch of the time that a rate names, at most so many mails
 * begin. Mail that is owed goes first, and is not held up by warming up.
 */
export class Pace {
  readonly #recorded: RecordedMails
  readonly #windows = new Map<string, { readonly perMs: number; readonly window: Promise<Window> }>()
  readonly #days = new Map<string, Promise<Map<string, number>>>()
  readonly #owed = new Map<string, { readonly count: number; readonly until: number }>()
  readonly #onHeld: (domain: string, limit: number) => void
  /** Days on which domains were reported to be held, by domain. */
  readonly #heldOn = new Map<string, string>()
  #receivers: Promise<Receivers> | undefined
  #receiving: MailRates['receiving'] | undefined

  /** @param onHeld is told once a day of a domain whose marketing waits for the next day */
  constructor(recorded: RecordedMails, onHeld: (domain: string, limit: number) => void = () => undefined) {
    this.#recorded = recorded
    this.#onHeld = onHeld
  }

  /** Returns the rates of receiving domains, as they are used up. */
  receivers({ receiving }: MailRates, now: number): Promise<Receivers> {
    if (this.#receiving !== receiving || !this.#receivers) {
      this.#receiving = receiving
      this.#receivers = Receivers.since(receiving, now, (since) => this.#recorded.received(since))
      this.#receivers.catch(() => {
        this.#receivers = undefined
      })
    }
    return this.#receivers
  }

  /** Takes places for mails that begin now. */
  async take({ domain, class: of, count }: WantedMails, rates: MailRates, now: number): Promise<Allowed> {
    const window = rates.sending && (await this.#windowOf(domain, rates.sending, now))
    const days = rates.warmsUp ? await this.#daysOf(domain) : undefined
    const left = days && of === 'marketing' ? this.#left(days, now) : Number.POSITIVE_INFINITY
    const free = window && rates.sending ? window.free(rates.sending, now) : Number.POSITIVE_INFINITY
    const others = of === 'marketing' ? this.#waitingOwed(domain, now) : 0
    const places = Math.max(0, Math.min(count, left, free - others))
    window?.take(places, now)
    if (days) days.set(dayOf(now), (days.get(dayOf(now)) ?? 0) + places)
    if (of === 'owed') this.#noteOwed(domain, count - places, now)
    const next = window && rates.sending ? window.next(rates.sending, now) : now
    if (count <= left || places < left) return { places, next }
    this.#noteHeld(domain, days, now)
    return { places, next: Math.max(next, nextDay(now)) }
  }

  /** Notes that a mail that began was neither taken nor refused for good: warming up counts mails that were. */
  async notSent(domain: string, now: number): Promise<void> {
    const days = await this.#days.get(domain)
    const today = days?.get(dayOf(now)) ?? 0
    if (today > 0) days?.set(dayOf(now), today - 1)
  }

  /** Returns what is left of a day. */
  #left(days: DayCounts, now: number): number {
    const today = dayOf(now)
    const limit = limitOn(today, days)
    return limit === undefined ? Number.POSITIVE_INFINITY : Math.max(0, limit - (days.get(today) ?? 0))
  }

  #noteHeld(domain: string, days: DayCounts | undefined, now: number): void {
    const today = dayOf(now)
    if (this.#heldOn.get(domain) === today) return
    this.#heldOn.set(domain, today)
    this.#onHeld(domain, (days && limitOn(today, days)) ?? 0)
  }

  #noteOwed(domain: string, count: number, now: number): void {
    if (count > 0) this.#owed.set(domain, { count, until: now + OWED_FIRST_MS })
    else this.#owed.delete(domain)
  }

  #waitingOwed(domain: string, now: number): number {
    const waiting = this.#owed.get(domain)
    return waiting && waiting.until > now ? waiting.count : 0
  }

  #windowOf(domain: string, { perMs }: MailRate, now: number): Promise<Window> {
    const known = this.#windows.get(domain)
    if (known?.perMs === perMs) return known.window
    const window = this.#recorded.taken(domain, now - perMs).then((taken) => new Window(perMs, taken))
    this.#windows.set(domain, { perMs, window })
    window.catch(() => this.#windows.delete(domain))
    return window
  }

  async #daysOf(domain: string): Promise<Map<string, number>> {
    const known = this.#days.get(domain)
    if (known) return known
    const loading = this.#recorded.days(domain).then((days) => new Map(days))
    this.#days.set(domain, loading)
    loading.catch(() => this.#days.delete(domain))
    return loading
  }
}
