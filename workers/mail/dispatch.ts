import type { DeliveryRecord, Settled } from '../../domain/emails/mailing/model.ts'
import { broadcastOfCause } from '../../domain/emails/mailing/purpose.ts'
import type { MailTransport, SigningKey } from '../../domain/kernel/ports/mail-transport.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import type { TaskTurn } from '../reactor/reaction.ts'
import { handOver } from './hand-over.ts'
import { judge, leftTaken, meetsAll } from './judge.ts'
import type { MailDeps } from './mail-deps.ts'
import { CALLED_OFF, type Mailable } from './mailable.ts'
import { type Limits, Places } from './places.ts'
import { Question } from './question.ts'
import { type Mailboxes, mailboxesOf, type Recipient, recipientsOf } from './recipients.ts'
import { type Recorder, takenOf } from './record.ts'
import { RefusalsInARow } from './refusals-in-a-row.ts'
import { Share } from './share.ts'
import type { Slots } from './slots.ts'
import { UnderWay } from './under-way.ts'
import { pauseAfterFaults } from './waits.ts'
import type { Work } from './work.ts'

/** Most mails that are taken in one append. */
const CHUNK = 64
/** Time after which a mailing is looked at again that was called off. */
const CALLED_OFF_MS = 1000
/** How long mails under way are waited for when the process stops. What has no outcome by then is in doubt at the next start. */
const STOP_WITHIN_MS = 3000

export interface DispatchDeps extends MailDeps, Limits {
  readonly record: Recorder
  readonly slots: (transport: MailTransport) => Slots
}

/** Returns whose turn it is when a mailing gets slots. Those of one broadcast go one after another, so that their mails share appends. */
const turnOf = ({ id, cause }: Work['mailing']): string => {
  const broadcast = broadcastOfCause(cause)
  return broadcast === undefined ? `mailing ${id}` : `broadcast ${broadcast}`
}

/** Hands over what waits in one mailing. */
export class Dispatch {
  readonly #deps: DispatchDeps
  readonly #work: Work
  readonly #turn: TaskTurn
  readonly #underWay = new UnderWay()
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
  #fault: string | undefined
  #isCalledOff = false
  readonly #share: Share
  /** Whether slots were free and no mail could use them, since when nothing has come. */
  #isStuck = false
  readonly #question: Question
  readonly #places: Places

  constructor(deps: DispatchDeps, work: Work, turn: TaskTurn) {
    this.#deps = deps
    this.#work = work
    this.#turn = turn
    this.#places = new Places(deps, work.mailing, work.transport.keeps)
    this.#share = new Share(deps.slots(work.transport), turnOf(work.mailing), () => this.#underWay.wake())
    this.#question = new Question(deps, work, () => this.#mailboxes.second)
    this.#waiting = work.deliveries.filter(({ status }) => status === 'waiting')
  }

  /** @returns when to go on, in milliseconds since 1970; `undefined`: nothing waits any more, or the process is stopping */
  async run(): Promise<number | undefined> {
    try {
      return await this.#run()
    } finally {
      // What a stop does not wait for keeps its slots: nothing else begins.
      if (!this.#turn.stopping()) await this.#underWay.all()
      this.#share.end()
    }
  }

  async #run(): Promise<number | undefined> {
    const { deliveries, mailing: of } = this.#work
    this.#mailboxes = mailboxesOf(deliveries, await recipientsOf(this.#deps, deliveries, of))
    await this.#settleOld()
    let stopsAt: number | undefined
    for (;;) {
      if (this.#turn.stopping()) stopsAt ??= performance.now() + STOP_WITHIN_MS
      const isOver = stopsAt !== undefined || this.#fault !== undefined || this.#isCalledOff
      const before = this.#waiting.length
      if (isOver) this.#share.stop()
      else if (!this.#isStuck) this.#share.ask(Math.min(CHUNK, this.#waiting.length))
      const canTake = this.#share.free > 0
      const taken = isOver || !canTake ? [] : await this.#pick()
      if (canTake) this.#isStuck = this.#waiting.length === before && taken.length === 0
      if (taken.length > 0 || this.#settled.length > 0) await this.#record(taken)
      if (this.#accepted.length > 0) this.#signWith = this.#deps.mail.signingKey(of.workspace_id, of.domain)
      for (const [delivery, recipient] of this.#accepted.splice(0)) this.#begin(delivery, recipient)
      const isDone = this.#waiting.length === 0 || (canTake && this.#waiting.length === before)
      if (this.#underWay.isEmpty && (isOver || isDone || this.#isCalledOff)) break
      if (stopsAt !== undefined && performance.now() > stopsAt) break
      if (!(await this.#underWay.some(this.#share))) this.#isStuck = false
    }
    if (this.#settled.length > 0) await this.#record([])
    if (stopsAt !== undefined) return undefined
    // Its own record says soon that it is held, or it goes on.
    if (this.#isCalledOff) return this.#now + CALLED_OFF_MS
    return this.#fault === undefined ? this.#laterDue() : this.#pause(this.#fault)
  }

  /** Whether mails wait for a rate, which may be changed meanwhile. */
  get isPaced(): boolean {
    return this.#places.isPaced
  }

  get #now(): number {
    return this.#deps.now(this.#work.mailing.workspace_id)
  }

  async #settleOld(): Promise<void> {
    const taken = this.#work.deliveries.filter(({ status }) => status === 'taken')
    if (taken.length === 0) return
    this.#settled = leftTaken(taken, this.#work.transport.keeps)
    await this.#record([])
    if (this.#work.transport.keeps) this.#waiting = [...taken, ...this.#waiting]
  }

  /** Picks the next mails: those that are due, whose receiving domains have places, and that the rate allows. */
  async #pick(): Promise<readonly number[]> {
    const now = this.#now
    const picked: DeliveryRecord[] = []
    await this.#places.look()
    const offered = this.#share.free
    for (const one of this.#waiting) {
      if (picked.length >= offered) break
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
    this.#share.use(allowed.length, offered)
    return allowed.map(([{ id }]) => id)
  }

  #domainOf(id: number): string {
    return this.#mailboxes.domains.get(id) ?? ''
  }

  /** Decides at this moment who may be mailed. The others have their outcome. */
  async #mailable(picked: readonly DeliveryRecord[]): Promise<Mailable['mailable']> {
    const { mailable, settled, isCalledOff } = await this.#question.all(picked)
    this.#settled.push(...settled)
    if (isCalledOff) this.#isCalledOff = true
    return mailable
  }

  async #record(take: readonly number[]): Promise<void> {
    const outcomes = this.#settled
    this.#settled = []
    const recorded = this.#share.recording()
    const { mailing: one } = this.#work
    // A report about a mail concerns the address that it went to, whoever has it by then.
    const digests = this.#accepted.map(([, { digest = null }]) => digest)
    const events = await this.#deps.record(one, 'record', { outcomes, take, digests }, this.#turn.stopping)
    const taken = await takenOf(this.#deps, one.id, take, events)
    recorded()
    // Meanwhile the mailing was held, or its mails were canceled: what could not be taken does not go.
    const refused = this.#accepted.filter(([{ id }]) => !taken.has(id))
    this.#accepted = this.#accepted.filter(([{ id }]) => taken.has(id))
    for (const [{ id }] of refused) this.#places.giveBack(this.#domainOf(id))
    if (refused.length === 0) return
    this.#share.giveBack(refused.length)
    this.#isCalledOff = true
  }

  #begin(delivery: DeliveryRecord, recipient: Recipient): void {
    const begun = performance.now()
    const { waitsSince } = this.#share
    const going = { delivery, recipient, signWith: this.#signWith, waitsSince, written: this.#turn.advanced }
    const task: Promise<void> = handOver(this.#deps, this.#work, going, this.#question).then(async (result) => {
      const hasGone = 'came' in result && result.came !== 'stayed'
      if (!hasGone) {
        const stayed = 'outcome' in result ? result : CALLED_OFF(delivery.id)
        await this.#places.stayed(this.#domainOf(delivery.id))
        if (stayed.outcome === 'returned') this.#isCalledOff = true
        return this.#came(task, stayed)
      }
      const isSent = result.came !== 'ours' && result.came !== 'deferred'
      await this.#places.free(this.#domainOf(delivery.id), { tookMs: performance.now() - begun, isSent })
      if (result.came === 'ours' && meetsAll(delivery, result)) this.#fault ??= result.reason
      this.#fault ??= this.#refusals.note(this.#domainOf(delivery.id), result)
      const settled = judge(delivery, result, { at: this.#now, keeps: this.#work.transport.keeps })
      if (settled.retry_at !== undefined) this.#deferrals.push(Date.parse(settled.retry_at))
      this.#came(task, settled)
    })
    this.#underWay.begin(task)
  }

  #came(task: Promise<void>, settled: Settled): void {
    this.#settled.push(settled)
    this.#share.spend()
    this.#isStuck = false
    this.#underWay.end(task)
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
