import type { SendableMailing } from '../../domain/emails/mailing/model.ts'
import type { MailRates } from '../../domain/emails/rates/notation.ts'
import type { Pace } from './pace.ts'
import type { Receivers } from './receivers.ts'
import type { Room } from './room.ts'

/** Pause of a mailing whose remaining mails all wait for places of their receiving domains. */
const NO_ROOM_MS = 1000
/** What places depend on. */
export interface Limits {
  readonly room: Room
  readonly pace: Pace
  readonly rates: () => Promise<MailRates>
}

/** Places that the mails of one mailing take: of their receiving domains and of their sending domain. Files need none. */
export class Places {
  readonly #limits: Limits
  readonly #mailing: Pick<SendableMailing, 'domain' | 'class'>
  readonly #keeps: boolean
  #rates: MailRates | undefined
  #receivers: Receivers | undefined
  #isFull = false
  #next: number | undefined

  constructor(limits: Limits, mailing: Pick<SendableMailing, 'domain' | 'class'>, keeps: boolean) {
    this.#limits = limits
    this.#mailing = mailing
    this.#keeps = keeps
  }

  /** Begins to look for places: those of a while ago do not count. */
  async look(): Promise<void> {
    this.#isFull = false
    this.#next = undefined
    if (this.#keeps) return
    this.#rates = await this.#limits.rates()
    this.#receivers = await this.#limits.pace.receivers(this.#rates, Date.now())
  }

  /** Takes a place of a receiving domain, if there is one. */
  take(domain: string): boolean {
    const { room } = this.#limits
    if (!room.take(domain)) {
      this.#isFull = true
      return false
    }
    const next = this.#receivers?.take(domain, Date.now())
    if (next === undefined) return true
    room.free(domain)
    this.#wait(next)
    return false
  }

  /** Takes places of the sending domain. @returns how many there are */
  async allowed(count: number): Promise<number> {
    const { domain, class: of } = this.#mailing
    if (this.#keeps || !this.#rates || count === 0) return count
    const { places, next } = await this.#limits.pace.take({ domain, class: of, count }, this.#rates, Date.now())
    if (places < count) this.#wait(next)
    return places
  }

  /** Gives a place of a receiving domain back that no mail used. */
  giveBack(domain: string): void {
    this.#limits.room.free(domain)
    this.#receivers?.giveBack(domain)
  }

  /** Gives the places back of a mail that was taken and did not go. */
  async stayed(domain: string): Promise<void> {
    this.giveBack(domain)
    if (!this.#keeps) await this.#limits.pace.notSent(this.#mailing.domain, Date.now())
  }

  /** Frees the place of a mail that was handed over. @param isSent whether a server took it, or refused it for good */
  async free(domain: string, { tookMs, isSent }: { readonly tookMs: number; readonly isSent: boolean }): Promise<void> {
    this.#limits.room.free(domain, tookMs)
    if (!isSent && !this.#keeps) await this.#limits.pace.notSent(this.#mailing.domain, Date.now())
  }

  /** Whether mails wait for a rate. */
  get isPaced(): boolean {
    return this.#next !== undefined
  }

  /** Returns when there may be places again. */
  soonest(now: number): number {
    const room = now + NO_ROOM_MS
    return this.#next === undefined || (this.#isFull && room < this.#next) ? room : this.#next
  }

  #wait(next: number): void {
    this.#next = Math.min(this.#next ?? Number.POSITIVE_INFINITY, Math.max(next, Date.now() + 1))
  }
}
