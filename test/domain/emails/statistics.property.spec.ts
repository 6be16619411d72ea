import { expect } from 'chai'
import { readStats } from '../../../domain/emails/broadcast/stats.ts'
import { type DeliveryRecord, delivery } from '../../../domain/emails/mailing/model.ts'
import { isOpen, OUTCOMES, type Outcome } from '../../../domain/emails/mailing/outcomes.ts'
import { mailings } from '../../../domain/emails/mailing/rules.ts'
import { mailNumbers, repeatedSends } from '../../../domain/emails/statistics/performance.ts'
import { MAIL_SUMS, mailTally, outcomesId } from '../../../domain/emails/statistics/tally.ts'
import type { RecordCommand } from '../../../domain/kernel/decide/rules.ts'
import type { FoldedEvent, JsonObject, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import type { Window } from '../../../domain/statistics/public.ts'
import { readStepStats } from '../../../domain/workflows/workflow/stats.ts'
import { createProjection } from '../../../projections/projection.ts'
import { MemoryReadModels } from '../../support/memory/read-models.ts'
import { ids, OpenVault } from '../../support/projection.ts'
import { type Random, random, seedOfRun } from '../../support/random.ts'
import { unbound } from '../../support/unbound.ts'

const FROM = Date.UTC(2026, 2, 1)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const BROADCAST = 5
const STEP = 7
const CONTACTS = 4
const ENDS = ['sent', 'kept', 'failed', 'bounced', 'in_doubt', 'unsubscribed'] as const

type Mail = DeliveryRecord & JsonObject

/** Returns the mails of a mailing after its events. */
const mailsAfter = (events: readonly RecordedEvent[]): readonly Mail[] => {
  const { documents } = mailings.fold(mailings.initial, events as readonly FoldedEvent[])
  return [...(documents[delivery.name]?.values() ?? [])] as unknown as readonly Mail[]
}

/** A mailing under way: its events so far, and the commands that it is given. */
class Life {
  readonly events: RecordedEvent[] = []
  readonly #id: number
  readonly #next: () => number
  #time = 0

  constructor(id: number, next: () => number) {
    this.#id = id
    this.#next = next
  }

  get mails(): readonly Mail[] {
    return mailsAfter(this.events)
  }

  /** Lets a command be decided at a time, if it is not before the last one. */
  ask(type: string, wanted: object, time: number, child?: number): void {
    this.#time = Math.max(this.#time, time)
    const at = new Date(this.#time).toISOString()
    const command: RecordCommand = {
      ...{ type, id: child ?? this.#id, workspaceId: 1, wanted: wanted as JsonObject, at, actor: { label: 'test' } },
      ...(child !== undefined && { child: 'deliveries' }),
    }
    const decision = mailings.decide(
      mailings.fold(mailings.initial, this.events as readonly FoldedEvent[]),
      command,
      undefined,
    )
    if (decision instanceof Refusal) return
    for (const event of decision) {
      const position = this.#next()
      this.events.push({
        ...event,
        ...{ stream: `emails/mailing-${this.#id}`, revision: this.events.length, position, id: `e${position}` },
        metadata: { at, actor: 'test', $correlationId: 'c', $causationId: 'c', team_id: 1, workspace_id: 1 },
      } as RecordedEvent)
    }
  }
}

const begin = (kind: string, cause: string, contact_ids: readonly number[]) => ({
  ...{ class: 'marketing', kind, cause, sender: { name: null, address: 'a@b.example' }, domain: 'b.example' },
  ...{ content: {}, contact_ids, reply_to: null, topic_id: null, values: {} },
})

/** Lives of the mailings of a broadcast and of a step, in which anything may happen to each mail at any time. */
const lives = (r: Random): readonly Life[] => {
  let position = 0
  const next = () => ++position
  const all = Array.from({ length: 8 }, (_, n) => {
    const life = new Life(n + 1, next)
    const contacts = Array.from({ length: CONTACTS }, (__, m) => n * CONTACTS + m + 1)
    if (n < 2) life.ask('create', begin('broadcast', `broadcast-${BROADCAST}-${n}`, contacts), FROM)
    else life.ask('create', begin('step', `run-${n}-step-${STEP}`, [1 + r.below(2)]), FROM)
    return life
  })
  let time = FROM
  for (let n = 0; n < 400; n++) {
    const life = r.pick(all)
    time += r.below(30 * MINUTE)
    const mail = r.pick(life.mails)
    const act = r.below(10)
    if (act < 3) life.ask('record', { outcomes: [{ delivery_id: mail.id, outcome: r.pick(ENDS) }], take: [] }, time)
    else if (act === 3) life.ask('fetch', { link: r.pick([null, 0, 1]), machine: r.below(4) === 0 }, time, mail.id)
    else if (act === 4) life.ask('judge', {}, time, mail.id)
    else if (act === 5)
      life.ask('comeBack', { returned: r.pick(['later', 'refused', 'address']), status: null }, time, mail.id)
    else if (act === 6) life.ask('sendAgain', {}, time, mail.id)
    else if (act === 7) life.ask('settleDoubt', { outcome: r.pick(['sent', 'bounced']) }, time, mail.id)
    else if (act === 8) life.ask(r.pick(['complain', 'leave']), {}, time, mail.id)
    else life.ask('sell', { order_id: n, amount: '12.50', currency: r.pick(['USD', 'EUR']) }, time, mail.id)
  }
  return all
}

/** Whether an event is about a mail. */
const isAbout = ({ type, data }: RecordedEvent, id: number): boolean => {
  if (type === 'MailingBegun') return true
  if (Array.isArray(data.outcomes)) return data.outcomes.some((one) => Object(one).delivery_id === id)
  return data.delivery_id === id
}

/** Each mail before and after each event, looked at one by one. */
const changesOf = (all: readonly Life[], kind: string) => {
  const found: { at: number; contact: number | null; before: Mail | undefined; after: Mail; event: RecordedEvent }[] =
    []
  for (const { events } of all.filter((life) => life.events[0]?.data.kind === kind)) {
    let before = new Map<number, Mail>()
    for (const [n, event] of events.entries()) {
      const after = new Map(mailsAfter(events.slice(0, n + 1)).map((mail) => [mail.id, mail]))
      for (const mail of after.values())
        if (isAbout(event, mail.id))
          found.push({
            ...{ at: Date.parse(event.metadata.at), contact: mail.contact_id },
            ...{ before: before.get(mail.id), after: mail, event },
          })
      before = after
    }
  }
  return found
}

const numberOf = (value: unknown) => Number(value ?? 0)

/** Counts by looking at every change of every mail. */
const countedBy = (changes: ReturnType<typeof changesOf>, { from, to }: Window) => {
  const counts = Object.fromEntries(
    ['sends', 'failed', 'bounced', 'unique_opens', 'clicked', 'unique_clicks', 'unsubscribed', 'spam_complaints'].map(
      (name) => [name, 0],
    ),
  ) as Record<string, number>
  const add = (name: string, by = 1) => {
    counts[name] = (counts[name] ?? 0) + by
  }
  for (const { at, before, after } of changes) {
    if (at < from || at >= to) continue
    const becomes = (...statuses: readonly string[]) =>
      statuses.includes(String(after.status)) && !(before && statuses.includes(String(before.status)))
    if (becomes('sent') || becomes('kept')) add('sends')
    if (becomes('failed')) add('failed')
    if (becomes('bounced')) add('bounced')
    add('clicked', numberOf(after.clicks) - numberOf(before?.clicks))
    for (const [name, field] of [
      ['unique_opens', 'opened_at'],
      ['unique_clicks', 'clicked_at'],
      ['unsubscribed', 'unsubscribed_at'],
      ['spam_complaints', 'complained_at'],
    ] as const)
      if (after[field] !== null && (before?.[field] ?? null) === null) add(name)
  }
  return counts
}

describe('statistics of mails', () => {
  const seed = seedOfRun()

  const project = () =>
    createProjection({
      ...{ resources: [], tallies: [mailTally], vault: new OpenVault(), publicIds: ids },
      upcast: (event) => event,
    })
  const projected = async (events: readonly RecordedEvent[], r: Random, twice: boolean) => {
    const models = new MemoryReadModels()
    const run = project()
    for (let from = 0; from < events.length; ) {
      const to = from + 1 + r.below(40)
      await run(events.slice(from, to), models)
      if (twice) await run(events.slice(Math.max(0, from - 5), to), models)
      from = to
    }
    return models
  }

  it('equal a look at every mail, in any window, however often events are delivered', async () => {
    for (let n = 0; n < 6; n++) {
      const r = random(seed + n)
      const all = lives(r)
      const events = all.flatMap(({ events }) => events).sort((a, b) => a.position - b.position)
      const models = await projected(events, r, n % 2 === 0)
      const last = Math.max(...events.map(({ metadata }) => Date.parse(metadata.at)))
      for (const [kind, scope] of [
        ['broadcast', { broadcastId: BROADCAST }],
        ['step', { stepId: STEP }],
      ] as const) {
        const changes = changesOf(all, kind)
        for (let m = 0; m < 20; m++) {
          const edge = () => FROM + MINUTE * r.below(Math.ceil((last - FROM) / MINUTE) + 2)
          const edges = m === 0 ? [FROM, last + DAY] : [edge(), edge()]
          const window = {
            from: Math.floor(Math.min(...edges) / MINUTE) * MINUTE,
            to: Math.ceil(Math.max(...edges) / MINUTE) * MINUTE,
          }
          const { counts, revenue } = await mailNumbers(scope, window, 'USD', unbound(models))
          const about = `seed ${seed + n}, ${kind}, ${JSON.stringify(window)}`
          expect(counts, about).to.deep.include(countedBy(changes, window))
          const sales = changes.filter(
            ({ event, at }) =>
              event.type === 'SaleFollowed' && event.data.currency === 'USD' && at >= window.from && at < window.to,
          )
          expect(revenue, about).to.deep.equal({ orders: sales.length, total: BigInt(1250 * sales.length) })
          if (kind === 'broadcast') continue
          const sent = changes.filter(
            ({ at, before, after }) =>
              at >= window.from &&
              at < window.to &&
              ['sent', 'kept'].some((one) => after.status === one && before?.status !== one),
          )
          const contacts = new Set(sent.map(({ contact }) => contact))
          expect(counts.sends - (await repeatedSends(STEP, window, unbound(models))), about).to.equal(contacts.size)
        }
      }
    }
  })

  it('of a broadcast have all of its mails in them, whichever part of a minute it begins in', async () => {
    const r = random(seed)
    for (let half = 0; half < 120; half++) {
      const begun = FROM + half * 500
      let position = 0
      const life = new Life(1, () => ++position)
      life.ask('create', begin('broadcast', `broadcast-${BROADCAST}-0`, [1]), begun)
      const { id } = life.mails[0]!
      life.ask('record', { outcomes: [{ delivery_id: id, outcome: 'sent' }], take: [] }, begun)
      life.ask('leave', {}, begun, id)
      life.ask('sell', { order_id: 1, amount: '12.50', currency: 'USD' }, begun, id)
      const read = unbound(await projected(life.events, r, false))
      const sending_at = new Date(begun).toISOString()
      const document = { id: BROADCAST, status: 'complete', sending_at, complete_at: null, target_count: 1 }
      const load = { one: async () => undefined } as unknown as Parameters<typeof readStats>[0]['load']
      const query = new URLSearchParams()
      const at = new Date(begun + 1).toISOString()
      const stats = (await readStats({ document, query, read, load, at })) as Record<string, JsonObject>
      expect(stats.performance, `at half second ${half}`).to.include({ delivered: 1, unsubscribed: 1 })
      expect(stats.revenue, `at half second ${half}`).to.include({ orders_count: 1 })
      expect(stats.timerange).to.deep.equal({ from: new Date(FROM).toISOString(), to: at })
    }
  })

  it('of a step have all of the mails of half a minute in them, whichever part of a minute it begins in', async () => {
    const r = random(seed)
    for (let half = 0; half < 120; half++) {
      const begun = FROM + half * 500
      let position = 0
      const life = new Life(1, () => ++position)
      life.ask('create', begin('step', `run-1-step-${STEP}`, [1]), begun)
      const { id } = life.mails[0]!
      life.ask('record', { outcomes: [{ delivery_id: id, outcome: 'sent' }], take: [] }, begun)
      life.ask('leave', {}, begun + MINUTE / 2 - 1, id)
      const read = unbound(await projected(life.events, r, false))
      const document = { id: STEP, step_type: 'send_email_step', workflow_id: 1, workspace_id: 1 }
      const load = { one: async () => undefined } as unknown as Parameters<typeof readStepStats>[0]['load']
      const end = begun + MINUTE / 2
      const query = new URLSearchParams({
        timerange_start: new Date(begun).toISOString(),
        timerange_end: new Date(end).toISOString(),
      })
      const passed: unknown[] = []
      const count: Parameters<typeof readStepStats>[0]['count'] = async (_, where) => {
        passed.push(where.left_at)
        return 0
      }
      const at = new Date(end).toISOString()
      const stats = (await readStepStats({ document, query, read, count, load, at })) as Record<string, JsonObject>
      const { performance } = stats.email as Record<string, JsonObject>
      expect(performance, `at half second ${half}`).to.include({ sends: 1, recipients: 1, unsubscribed: 1 })
      const { from, to } = stats.timerange as Record<string, string>
      expect(Date.parse(from!) <= begun && Date.parse(to!) >= end, `at half second ${half}`).to.equal(true)
      expect(passed).to.have.length(2)
    }
  })

  it('tell of each mail of a broadcast what became of it last', async () => {
    for (let n = 0; n < 6; n++) {
      const r = random(seed + 100 + n)
      const all = lives(r)
      const events = all.flatMap(({ events }) => events).sort((a, b) => a.position - b.position)
      const models = await projected(events, r, n % 2 === 0)
      const stored = models.get(MAIL_SUMS, outcomesId(BROADCAST)) ?? { id: '' }
      const expected: { [outcome in Outcome]?: number } = {}
      for (const life of all.slice(0, 2))
        for (const { status } of life.mails) if (!isOpen(status)) expected[status] = (expected[status] ?? 0) + 1
      for (const outcome of OUTCOMES)
        expect(numberOf(stored[outcome]), `seed ${seed + 100 + n}: ${outcome}`).to.equal(expected[outcome] ?? 0)
    }
  })

  it('14 37: count pieces of a canceled broadcast whose mailings never began', async () => {
    const settled = (mailing_id: number, more: object): RecordedEvent => ({
      ...{ stream: `emails/broadcast-${BROADCAST}`, revision: mailing_id, position: mailing_id, id: `e${mailing_id}` },
      type: 'BroadcastPieceSettled',
      data: { send_action_id: 1, mailing_id, outcomes: { canceled: 3 }, ...more },
      metadata: {
        ...{ at: new Date(FROM).toISOString(), actor: 'test', team_id: 1, workspace_id: 1 },
        ...{ $correlationId: 'c', $causationId: 'c' },
      },
    })
    const models = await projected([settled(1, {}), settled(2, { unbegun: true })], random(seed), true)
    expect(models.get(MAIL_SUMS, outcomesId(BROADCAST))).to.deep.include({ canceled: 3 })
  })
})
