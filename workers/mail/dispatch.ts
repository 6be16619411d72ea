import { contact as contactModel } from '../../domain/contacts/public.ts'
import { AddressUnusable, compose, type Letter } from '../../domain/emails/composing/compose.ts'
import { nameOf, valuesFor } from '../../domain/emails/composing/values.ts'
import { returnName } from '../../domain/emails/domain/records.ts'
import { LiquidFailed } from '../../domain/emails/liquid/render.ts'
import { reasonNotToMail } from '../../domain/emails/mailing/may-be-mailed.ts'
import {
  type DeliveryRecord,
  type MailingRecord,
  mailing,
  type Sender,
  type Settled,
} from '../../domain/emails/mailing/model.ts'
import type { Outcome as MailOutcome } from '../../domain/emails/mailing/outcomes.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { HandOver, Mailbox, MailTransport } from '../../domain/kernel/ports/mail-transport.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { mailboxOf } from '../../domain/kernel/values/mailbox.ts'
import { zoneOf, zoneOfWorkspace } from '../../domain/resources/attributes/time-zone.ts'
import type { TaskTurn } from '../reactor/reaction.ts'
import { judge } from './judge.ts'
import type { MailDeps } from './mail-deps.ts'
import type { Pace } from './pace.ts'
import type { Recorder } from './record.ts'
import type { Room } from './room.ts'
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
/** Pause of a mailing whose remaining mails all wait for places of their receiving domains. */
const NO_ROOM_MS = 1000

const TAKEN = mailing.event.DeliveriesTaken.type

type Contact = RecordOf<typeof contactModel>

/** Returns a contact with its personal attributes in their places. */
const open = recordOf(contactModel)

export interface DispatchDeps extends MailDeps {
  readonly record: Recorder
  readonly room: Room
  readonly pace: Pace | undefined
}

/** A mailing that is to be handed over. */
export interface Work {
  readonly mailing: MailingRecord
  readonly deliveries: readonly DeliveryRecord[]
  readonly transport: MailTransport
  readonly workspace: Document
}

const mailboxWith = ({ name, address }: Sender): Mailbox => ({ name: name ?? '', address })

/** Domain of a contact's address, in the spelling by which places are counted; empty: there is none. */
const domainOf = (contact: Document | undefined): string => {
  const address = contact?.email_address
  return typeof address === 'string' ? mailboxOf(address).slice(mailboxOf(address).lastIndexOf('@') + 1) : ''
}

/** Returns what all recipients of a mailing have in common. */
const letterOf = ({ content, sender, reply_to, domain }: MailingRecord): Letter => ({
  texts: content,
  from: mailboxWith(sender),
  replyTo: reply_to && mailboxWith(reply_to),
  footer: content.footer,
  tracksOpens: content.tracks_opens,
  tracksClicks: content.tracks_clicks,
  domain,
  returnDomain: returnName(domain),
})

/** Hands over what waits in one mailing. */
export class Dispatch {
  readonly #deps: DispatchDeps
  readonly #work: Work
  readonly #turn: TaskTurn
  readonly #underWay = new Set<Promise<void>>()
  /** Deliveries that still wait, with what is known of their receiving domains. */
  #waiting: readonly DeliveryRecord[]
  readonly #domains = new Map<number, string>()
  readonly #second = new Set<number>()
  #settled: Settled[] = []
  /** Mails that were picked and begin once their intent is recorded. */
  #accepted: (readonly [DeliveryRecord, Contact])[] = []
  readonly #deferrals: number[] = []
  #fault: string | undefined
  #isCalledOff = false
  #next: number | undefined

  constructor(deps: DispatchDeps, work: Work, turn: TaskTurn) {
    this.#deps = deps
    this.#work = work
    this.#turn = turn
    this.#waiting = work.deliveries.filter(({ status }) => status === 'waiting')
  }

  /** @returns when to go on, in milliseconds since 1970; `undefined`: nothing waits any more, or the process is stopping */
  async run(): Promise<number | undefined> {
    await this.#readDomains()
    await this.#settleOld()
    let stopsAt: number | undefined
    for (;;) {
      if (this.#turn.stopping()) stopsAt ??= performance.now() + STOP_WITHIN_MS
      const isOver = stopsAt !== undefined || this.#fault !== undefined || this.#isCalledOff
      const before = this.#waiting.length
      const taken = isOver ? [] : await this.#pick()
      if (taken.length > 0 || this.#settled.length > 0) await this.#record(taken)
      for (const [delivery, contact] of this.#accepted.splice(0)) this.#begin(delivery, contact)
      if (this.#underWay.size === 0 && (isOver || this.#waiting.length === before)) break
      if (stopsAt !== undefined && performance.now() > stopsAt) break
      await this.#someCame()
    }
    if (this.#settled.length > 0) await this.#record([])
    if (stopsAt !== undefined || this.#isCalledOff) return undefined
    return this.#fault === undefined ? this.#laterDue() : this.#pause(this.#fault)
  }

  get #now(): number {
    return this.#deps.now(this.#work.mailing.workspace_id)
  }

  /** Reads the domains of all recipients, and finds those whose mailbox an earlier one of the mailing has. */
  async #readDomains(): Promise<void> {
    const contacts = await this.#contacts(this.#work.deliveries)
    const seen = new Set<string>()
    for (const { id, contact_id } of this.#work.deliveries) {
      const contact = contacts.get(contact_id)
      this.#domains.set(id, domainOf(contact))
      const address = contact?.email_address
      if (typeof address !== 'string' || address === '') continue
      const mailbox = mailboxOf(address)
      if (seen.has(mailbox)) this.#second.add(id)
      seen.add(mailbox)
    }
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

  async #contacts(deliveries: readonly DeliveryRecord[]): Promise<ReadonlyMap<number, Contact>> {
    const { log, seen, loader } = this.#deps
    await seen({ position: await log.lastPosition() })
    const ids = deliveries.map(({ contact_id }) => contact_id)
    const found = (await loader().many(contactModel.name, ids)).map(open)
    return new Map(found.map((contact) => [contact.id, contact]))
  }

  /** Picks the next mails: those that are due, whose receiving domains have places, and that the rate allows. */
  async #pick(): Promise<readonly number[]> {
    const free = WINDOW - this.#underWay.size
    if (free < CHUNK || this.#waiting.length === 0) return []
    const now = this.#now
    const picked: DeliveryRecord[] = []
    for (const one of this.#waiting) {
      if (picked.length >= CHUNK) break
      if (one.retry_at !== null && Date.parse(one.retry_at) > now) continue
      if (this.#deps.room.take(this.#domains.get(one.id) ?? '')) picked.push(one)
    }
    const mailable = await this.#mailable(picked)
    const allowed = await this.#paced(mailable)
    const gone = new Set(this.#settled.map(({ delivery_id }) => delivery_id))
    const going = new Set(allowed.map(([{ id }]) => id))
    for (const { id } of picked) if (!going.has(id)) this.#free(id)
    this.#waiting = this.#waiting.filter(({ id }) => !gone.has(id) && !going.has(id))
    this.#accepted = [...allowed]
    return allowed.map(([{ id }]) => id)
  }

  #free(id: number, tookMs?: number): void {
    this.#deps.room.free(this.#domains.get(id) ?? '', tookMs)
  }

  /** Decides at this moment who may be mailed. The others have their outcome. */
  async #mailable(picked: readonly DeliveryRecord[]): Promise<readonly (readonly [DeliveryRecord, Contact])[]> {
    if (picked.length === 0) return []
    const contacts = await this.#contacts(picked)
    const mailable: (readonly [DeliveryRecord, Contact])[] = []
    for (const delivery of picked) {
      const contact = contacts.get(delivery.contact_id)
      const reason = reasonNotToMail(contact, this.#work.mailing)
      const skipped: MailOutcome | undefined = reason ?? (this.#second.has(delivery.id) ? 'duplicate' : undefined)
      if (skipped !== undefined || !contact)
        this.#settled.push({ delivery_id: delivery.id, outcome: skipped ?? 'deleted' })
      else mailable.push([delivery, contact])
    }
    return mailable
  }

  /** Leaves out what the rate of the sending domain does not allow yet. Files have no rate. */
  async #paced<T>(mails: readonly T[]): Promise<readonly T[]> {
    const { pace } = this.#deps
    const { transport, mailing } = this.#work
    if (!pace || transport.keeps || mails.length === 0) return mails
    const { places, next } = await pace.take(mailing.domain, mails.length, Date.now())
    if (places < mails.length) this.#next = Math.max(next, Date.now() + 1)
    return mails.slice(0, places)
  }

  async #record(take: readonly number[]): Promise<void> {
    const outcomes = this.#settled
    this.#settled = []
    const { mailing: one } = this.#work
    const events = await this.#deps.record(one, 'record', { outcomes, take }, this.#turn.stopping)
    const taken = new Set(events.flatMap(({ type, data }) => (type === TAKEN ? data.delivery_ids : [])))
    // Meanwhile the mailing was held, or its mails were canceled: what could not be taken does not go.
    const refused = this.#accepted.filter(([{ id }]) => !taken.has(id))
    this.#accepted = this.#accepted.filter(([{ id }]) => taken.has(id))
    for (const [{ id }] of refused) this.#free(id)
    if (refused.length > 0) this.#isCalledOff = true
  }

  #begin(delivery: DeliveryRecord, contact: Contact): void {
    const begun = performance.now()
    const task = this.#handOver(delivery, contact).then((result) => {
      this.#free(delivery.id, performance.now() - begun)
      if (result.came === 'ours') this.#fault ??= result.reason
      const settled = judge(delivery, result, { at: this.#now, keeps: this.#work.transport.keeps })
      if (settled.retry_at !== undefined) this.#deferrals.push(Date.parse(settled.retry_at))
      this.#settled.push(settled)
      this.#underWay.delete(task)
    })
    this.#underWay.add(task)
  }

  async #handOver(delivery: DeliveryRecord, contact: Contact): Promise<HandOver> {
    const { mailLinks, mail: ways, logger } = this.#deps
    const { mailing, transport, workspace } = this.#work
    try {
      const recipient = {
        deliveryId: delivery.id,
        to: { name: nameOf(contact), address: contact.email_address ?? '' },
        values: valuesFor(mailing.values, contact),
        now: this.#now,
        timeZone: contact.time_zone === null ? zoneOfWorkspace(workspace) : zoneOf(contact.time_zone),
      }
      const mail = compose(letterOf(mailing), recipient, mailLinks)
      const signWith = await ways.signingKey(mailing.workspace_id, mailing.domain)
      const of = { contactId: delivery.contact_id, mailingId: mailing.id, deliveryId: delivery.id }
      return await transport.handOver({ mail, signWith, ...of })
    } catch (error) {
      if (error instanceof LiquidFailed) return { came: 'refused', reason: 'rendering' }
      if (error instanceof AddressUnusable) return { came: 'refused', reason: 'address' }
      logger.error({ err: error, delivery: delivery.id }, 'a mail could not be handed over')
      return { came: 'ours', reason: 'internal' }
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
  async #oneCame(withinMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const waited = new Promise<boolean>((go) => {
      timer = setTimeout(() => go(false), withinMs)
    })
    const came = await Promise.race([...[...this.#underWay].map((task) => task.then(() => true)), waited])
    clearTimeout(timer)
    return came
  }

  /** Returns when the first of the mails is due that wait still. */
  #laterDue(): number | undefined {
    const soonest = this.#next ?? this.#now + NO_ROOM_MS
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
