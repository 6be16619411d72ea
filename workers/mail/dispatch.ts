import { AddressUnusable } from '../../domain/emails/composing/compose.ts'
import { LiquidFailed } from '../../domain/emails/liquid/render.ts'
import { type DeliveryRecord, mailing, type SendableMailing, type Settled } from '../../domain/emails/mailing/model.ts'
import type { HandOver, MailTransport, SigningKey } from '../../domain/kernel/ports/mail-transport.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import type { TaskTurn } from '../reactor/reaction.ts'
import { composed } from './composed.ts'
import { judge, meetsAll } from './judge.ts'
import type { MailDeps } from './mail-deps.ts'
import { type Mailable, mailableOf } from './mailable.ts'
import { type Limits, Places } from './places.ts'
import { type Mailboxes, mailboxesOf, type Recipient, recipientsOf } from './recipients.ts'
import type { Recorder } from './record.ts'
import { RefusalsInARow } from './refusals-in-a-row.ts'
import { pauseAfterFaults } from './waits.ts'

/** Mails under way at once, of one mailing. */
const WINDOW = 128
/** Places that are free before further mails are taken: they share one append. */
const CHUNK = 64
/** Longest wait of an outcome for others before it is recorded. */
const RECORDED_WITHIN_MS = 1000
/** Time without an outcome after which those that came are recorded, where others wait for their places. */
const QUIET_MS = 50
/** How long mails under way are waited for when the process stops. What has no outcome by then is in doubt at the next start. */
const STOP_WITHIN_MS = 3000

const TAKEN = mailing.event.DeliveriesTaken.type

export interface DispatchDeps extends MailDeps, Limits {
  readonly record: Recorder
}

/** A mailing that is to be handed over. */
export interface Work {
  readonly mailing: SendableMailing
  readonly deliveries: readonly DeliveryRecord[]
  readonly transport: MailTransport
  readonly workspace: Document
}

/** Hands over what waits in one mailing. */
export class Dispatch {
  readonly #deps: DispatchDeps
  readonly #work: Work
  readonly #turn: TaskTurn
  readonly #underWay = new Set<Promise<void>>()
  /** Deliveries that still wait, with what is known of their receiving domains. */
  #waiting: readonly DeliveryRecord[]
  #mailboxes: Mailboxes = { domains: new Map(), second: new Set() }
  #settled: Settled[] = []
  /** Mails that were picked and begin once their intent is recorded. */
  #accepted: (readonly [DeliveryRecord, Recipient])[] = []
  /** Key that signs the mails that are begun together. */
  #signWith: MaybePromise<SigningKey | undefined>
  readonly #deferrals: number[] = []
  readonly #refusals = new RefusalsInARow()
  #onOutcome = () => {}
  #fault: string | undefined
  #isCalledOff = false
  readonly #places: Places

  constructor(deps: DispatchDeps, work: Work, turn: TaskTurn) {
    this.#deps = deps
    this.#work = work
    this.#turn = turn
    this.#places = new Places(deps, work.mailing, work.transport.keeps)
    this.#waiting = work.deliveries.filter(({ status }) => status === 'waiting')
  }

  /** @returns when to go on, in milliseconds since 1970; `undefined`: nothing waits any more, or the process is stopping */
  async run(): Promise<number | undefined> {
    const { deliveries, mailing: of } = this.#work
    this.#mailboxes = mailboxesOf(deliveries, await recipientsOf(this.#deps, deliveries, of))
    await this.#settleOld()
    let stopsAt: number | undefined
    for (;;) {
      if (this.#turn.stopping()) stopsAt ??= performance.now() + STOP_WITHIN_MS
      const isOver = stopsAt !== undefined || this.#fault !== undefined || this.#isCalledOff
      const before = this.#waiting.length
      const taken = isOver ? [] : await this.#pick()
      if (taken.length > 0 || this.#settled.length > 0) await this.#record(taken)
      if (this.#accepted.length > 0) this.#signWith = this.#deps.mail.signingKey(of.workspace_id, of.domain)
      for (const [delivery, recipient] of this.#accepted.splice(0)) this.#begin(delivery, recipient)
      if (this.#underWay.size === 0 && (isOver || this.#waiting.length === before)) break
      if (stopsAt !== undefined && performance.now() > stopsAt) break
      await this.#someCame()
    }
    if (this.#settled.length > 0) await this.#record([])
    if (stopsAt !== undefined || this.#isCalledOff) return undefined
    return this.#fault === undefined ? this.#laterDue() : this.#pause(this.#fault)
  }

  /** Whether mails wait for a rate, which may be changed meanwhile. */
  get isPaced(): boolean {
    return this.#places.isPaced
  }

  get #now(): number {
    return this.#deps.now(this.#work.mailing.workspace_id)
  }

  /** What was taken and has no outcome was under way at a kill: it may have been handed over. A file is written again. */
  async #settleOld(): Promise<void> {
    const taken = this.#work.deliveries.filter(({ status }) => status === 'taken')
    if (taken.length === 0) return
    const outcome = this.#work.transport.keeps ? 'returned' : 'in_doubt'
    const reason = outcome === 'in_doubt' ? { reason: 'interrupted' } : {}
    this.#settled = taken.map(({ id }) => ({ delivery_id: id, outcome, ...reason }))
    await this.#record([])
    if (this.#work.transport.keeps) this.#waiting = [...taken, ...this.#waiting]
  }

  /** Picks the next mails: those that are due, whose receiving domains have places, and that the rate allows. */
  async #pick(): Promise<readonly number[]> {
    const free = WINDOW - this.#underWay.size
    if (free < CHUNK || this.#waiting.length === 0) return []
    const now = this.#now
    const picked: DeliveryRecord[] = []
    await this.#places.look()
    for (const one of this.#waiting) {
      if (picked.length >= CHUNK) break
      if (one.retry_at !== null && Date.parse(one.retry_at) > now) continue
      if (this.#places.take(this.#domainOf(one.id))) picked.push(one)
    }
    const mailable = await this.#mailable(picked)
    const allowed = mailable.slice(0, await this.#places.allowed(mailable.length))
    const gone = new Set(this.#settled.map(({ delivery_id }) => delivery_id))
    const going = new Set(allowed.map(([{ id }]) => id))
    for (const { id } of picked) if (!going.has(id)) this.#places.giveBack(this.#domainOf(id))
    this.#waiting = this.#waiting.filter(({ id }) => !gone.has(id) && !going.has(id))
    this.#accepted = [...allowed]
    return allowed.map(([{ id }]) => id)
  }

  #domainOf(id: number): string {
    return this.#mailboxes.domains.get(id) ?? ''
  }

  /** Decides at this moment who may be mailed. The others have their outcome. */
  async #mailable(picked: readonly DeliveryRecord[]): Promise<Mailable['mailable']> {
    const { mailable, settled } = await mailableOf(this.#deps, picked, this.#work, this.#mailboxes.second)
    this.#settled.push(...settled)
    return mailable
  }

  async #record(take: readonly number[]): Promise<void> {
    const outcomes = this.#settled
    this.#settled = []
    const { mailing: one } = this.#work
    // A report about a mail concerns the address that it went to, whoever has it by then.
    const digests = this.#accepted.map(([, { digest = null }]) => digest)
    const events = await this.#deps.record(one, 'record', { outcomes, take, digests }, this.#turn.stopping)
    const taken = new Set(events.flatMap(({ type, data }) => (type === TAKEN ? data.delivery_ids : [])))
    // Meanwhile the mailing was held, or its mails were canceled: what could not be taken does not go.
    const refused = this.#accepted.filter(([{ id }]) => !taken.has(id))
    this.#accepted = this.#accepted.filter(([{ id }]) => taken.has(id))
    for (const [{ id }] of refused) this.#places.giveBack(this.#domainOf(id))
    if (refused.length > 0) this.#isCalledOff = true
  }

  #begin(delivery: DeliveryRecord, recipient: Recipient): void {
    const begun = performance.now()
    const task = this.#handOver(delivery, recipient).then(async (result) => {
      const isSent = result.came !== 'ours' && result.came !== 'deferred'
      await this.#places.free(this.#domainOf(delivery.id), { tookMs: performance.now() - begun, isSent })
      if (result.came === 'ours' && meetsAll(delivery, result)) this.#fault ??= result.reason
      this.#fault ??= this.#refusals.note(this.#domainOf(delivery.id), result)
      const settled = judge(delivery, result, { at: this.#now, keeps: this.#work.transport.keeps })
      if (settled.retry_at !== undefined) this.#deferrals.push(Date.parse(settled.retry_at))
      this.#settled.push(settled)
      this.#underWay.delete(task)
      this.#onOutcome()
    })
    this.#underWay.add(task)
  }

  async #handOver(delivery: DeliveryRecord, recipient: Recipient): Promise<HandOver> {
    const { mailing, transport, workspace } = this.#work
    try {
      const signWith = await this.#signWith
      const compose = () => composed({ mailing, delivery, recipient, workspace, now: this.#now }, this.#deps)
      const of = { contactId: recipient.contact.id, mailingId: mailing.id, deliveryId: delivery.id }
      return await transport.handOver({ compose, signWith, ...of })
    } catch (error) {
      if (error instanceof LiquidFailed) return { came: 'refused', reason: 'rendering' }
      if (error instanceof AddressUnusable) return { came: 'refused', reason: 'address' }
      this.#deps.logger.error({ err: error, delivery: delivery.id }, 'a mail could not be handed over')
      return { came: 'ours', reason: 'internal', atRecipient: true }
    }
  }

  /** Waits until enough outcomes came to be recorded together, or for a while. */
  async #someCame(): Promise<void> {
    const until = performance.now() + RECORDED_WITHIN_MS
    while (this.#underWay.size > 0) {
      const left = until - performance.now()
      const canTake = WINDOW - this.#underWay.size >= CHUNK && this.#waiting.length > 0
      if (left <= 0 || (canTake && this.#settled.length >= CHUNK)) return
      const isHeldUp = canTake && this.#settled.length > 0
      const came = await this.#oneCame(isHeldUp ? Math.min(left, QUIET_MS) : left)
      // The others are slow. Those that wait for a place need not wait for them.
      if (!came && isHeldUp) return
    }
  }

  /** Waits for the next outcome. @returns whether one came in time */
  #oneCame(withinMs: number): Promise<boolean> {
    return new Promise((go) => {
      const timer = setTimeout(() => go(false), withinMs)
      this.#onOutcome = () => {
        clearTimeout(timer)
        go(true)
      }
    })
  }

  /** Returns when the first of the mails is due that wait still. */
  #laterDue(): number | undefined {
    const soonest = this.#places.soonest(this.#now)
    const own = this.#waiting.map(({ retry_at }) => Math.max(soonest, retry_at === null ? 0 : Date.parse(retry_at)))
    const dues = [...own, ...this.#deferrals]
    return dues.length === 0 ? undefined : Math.min(...dues)
  }

  /** Notes that all of it waits, for longer with every fault in a row. */
  async #pause(reason: string): Promise<number> {
    const { mailing } = this.#work
    const until = this.#now + pauseAfterFaults(mailing.pauses)
    const wanted = { reason, until: new Date(until).toISOString() }
    await this.#deps.record(mailing, 'pause', wanted, this.#turn.stopping)
    return until
  }
}
