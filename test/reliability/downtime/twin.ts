import { randomUUID } from 'node:crypto'
import { digest } from '../../../domain/communities/digest/model.ts'
import { course, section } from '../../../domain/courses/course/model.ts'
import { adapterAt } from '../../../domain/kernel/ports/calls.ts'
import type { EventLog } from '../../../domain/kernel/ports/event-log.ts'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../../domain/kernel/values/stream-name.ts'
import { charges } from '../../../domain/orders/billing/charge.ts'
import { invoice } from '../../../domain/orders/invoice/model.ts'
import { order } from '../../../domain/orders/order/model.ts'
import { orders } from '../../../domain/orders/order/rules.ts'
import { charging, refunding } from '../../../domain/payments/public.ts'
import { derivedId } from '../../../workers/derived-id.ts'
import { type Random, random } from '../../support/random.ts'
import { Mortal } from '../kills/mortal.ts'
import { catalogueOf } from '../lives/catalogue.ts'
import { Clocks, DAY } from '../lives/clocks.ts'
import { randomSale } from '../lives/sale.ts'
import { type Documents, type Kept, openDocuments, type Service, startService } from '../lives/service.ts'
import { type Task, Tasks } from '../lives/tasks.ts'

const MOST_ATTEMPTS = 20_000
/** Attempts that are declined before one is approved. An invoice has five. */
const DECLINES = [0, 0, 0, 1, 3, 4, 9]

interface Sent {
  readonly period: number
  readonly attempt: number
}

const isoOf = (time: number): string => new Date(time).toISOString()

/** A subscription, a digest and sections that appear by and by, with a service that can die once and be away for days. The bank answers by period and attempt. */
export class Twin {
  readonly clocks = new Clocks(false)
  readonly #numbers: Random
  readonly #seed: number
  readonly #kept: Kept
  readonly #documents: Documents
  readonly #tasks = new Tasks()
  readonly #charged = new Map<string, { readonly id: string; readonly isApproved: boolean; readonly given: boolean }>()
  readonly #sentFor = new Map<string, number>()
  readonly #ids: { readonly order: number; readonly digest: number; readonly course: number }
  readonly #sections: readonly number[]
  #read: number
  #mortal: Mortal
  #service: Service
  readonly complaints: string[] = []

  /** @param dieAfter steps of the first process towards the outside; infinite: it never dies */
  private constructor(kept: Kept, after: number, seed: number, order: number, dieAfter: number) {
    this.#kept = kept
    this.#seed = seed
    this.#numbers = random(order)
    this.#read = after
    const catalogue = catalogueOf(kept.workspaceId)
    const workspace = { id: kept.workspaceId, time_zone: 'Europe/Berlin' }
    this.#documents = openDocuments(kept, after, [...catalogue, ['workspace', workspace]])
    this.#ids = { order: kept.mint(), digest: kept.mint(), course: kept.mint() }
    this.#sections = Array.from({ length: 4 }, kept.mint)
    this.#mortal = new Mortal(dieAfter)
    this.#service = this.#start()
  }

  /**
   * Begins a life with its purchase.
   *
   * @param seed of what is bought, what is planned and how the bank answers
   * @param order seed of the order in which tasks are taken up
   */
  static async begin(
    log: EventLog,
    mint: () => number,
    { seed, order, dieAfter }: { readonly seed: number; readonly order: number; readonly dieAfter: number },
  ): Promise<Twin> {
    const twin = new Twin({ log, mint, workspaceId: mint() }, await log.lastPosition(), seed, order, dieAfter)
    const plans = random(seed)
    const { paid, placing } = randomSale(plans, twin.clocks.workspace)
    const sold = await twin.#service.ask({
      ...{ aggregate: orders, id: twin.#ids.order, type: 'sell', ids: [mint(), mint()] },
      wanted: placing(paid > 0n ? 'checkout' : null, mint),
    })
    if (sold instanceof Refusal) throw sold
    await twin.#plan(plans)
    return twin
  }

  /** Lets time pass until a moment, or until the process dies. @returns whether it died */
  async until(time: number): Promise<boolean> {
    for (let attempts = 0; ; attempts++) {
      if (attempts > MOST_ATTEMPTS) throw new Error('it does not come to rest')
      if (await this.#attempt()) {
        if (this.#mortal.isDead) return true
        continue
      }
      const dues = this.#tasks.firsts().map((task) => this.#tasks.dueOf(task))
      const next = Math.max(Math.min(...dues, await this.#service.nextDue()), this.clocks.workspace + 1)
      if (next > time) break
      this.clocks.pass(next - this.clocks.truth)
    }
    this.clocks.pass(time - this.clocks.truth)
    return false
  }

  /** Is away for some time, and starts again. */
  async sleep(ms: number): Promise<void> {
    await this.#mortal.kill()
    this.clocks.pass(ms)
    this.#mortal = new Mortal()
    this.#service = this.#start()
    this.#tasks.restart()
  }

  /** Returns what has become of everything, without the moments at which it did. */
  async outcome() {
    const { engine } = this.#service
    const records = await engine.records(orders, this.#ids.order, Number.POSITIVE_INFINITY)
    const { service_status, billing_status, next_charge_at, paid_until, periods } = records.root(order)!
    const invoices = records
      .all(invoice)
      .map(({ period, status, attempts, retry_at, due_at }) => ({ period, status, attempts, retry_at, due_at }))
    await this.#documents.follow()
    const { live } = this.#documents
    const published = this.#sections.map((id) => live.get(section.name, id)?.appears_at ?? null)
    const money = [...this.#charged.values()].filter(({ isApproved, given }) => isApproved && !given).length
    const order_ = { service_status, billing_status, next_charge_at, paid_until, periods }
    return { order: order_, invoices, money, published, told: await this.#told() }
  }

  /** Returns from when until when digests have told what is new, and when the next is due. */
  async #told() {
    let [from, upTo] = ['', '']
    const gaps: string[] = []
    for await (const { type, data, metadata } of this.#kept.log.readStream(streamOf(digest, this.#ids.digest))) {
      if (type !== digest.event.DigestDue.type) continue
      const since = String(data.since)
      from ||= since
      if (upTo !== '' && since > upTo) gaps.push(`${upTo} to ${since}`)
      upTo = metadata.at
    }
    const { next_at } = this.#documents.live.get(digest.name, this.#ids.digest)!
    return { from, gaps, next_at }
  }

  async #append(stream: string, ...events: readonly DomainEvent[]): Promise<void> {
    const { log, workspaceId } = this.#kept
    const at = isoOf(this.clocks.workspace)
    const metadata = { at, actor: 'test', $correlationId: 'c', $causationId: 'c', workspace_id: workspaceId }
    const recorded = events.map(({ type, data }) => ({ id: randomUUID(), type, data, metadata }))
    await log.append({ stream, expected: 'any', events: recorded })
  }

  async #plan(plans: Random): Promise<void> {
    const { digest: digestId, course: courseId } = this.#ids
    const now = this.clocks.workspace
    const begun = { community_id: 1, is_on: true, next_at: isoOf(now + plans.below(DAY)) }
    await this.#append(streamOf(digest, digestId), digest.event.DigestBegan(begun))
    const [root, ...sections] = this.#sections
    const created = { root_section_id: root, title: 'Course', current_path: '/course' }
    await this.#append(
      streamOf(course, courseId),
      { type: 'CourseCreated', data: created } as DomainEvent,
      ...sections.flatMap((section_id): DomainEvent[] => {
        const published_at = isoOf(now + plans.below(400 * DAY))
        const added = { section_id, title: 'Section', current_path: `/${section_id}`, sort_order: 1 }
        const set = { section_id, published_at, appears_at: published_at, publish_action_id: null }
        return [
          { type: 'SectionAdded', data: added },
          { type: 'SectionPublished', data: set },
        ] as unknown as DomainEvent[]
      }),
    )
  }

  async #sentOf(key: string): Promise<Sent> {
    const records = await this.#service.engine.records(orders, this.#ids.order, Number.POSITIVE_INFINITY)
    const { period, attempts } = records.one(invoice, this.#sentFor.get(key) ?? 0)!
    return { period: period ?? 0, attempt: attempts }
  }

  /** How many attempts of a period are declined; for good where that is all of them. */
  #isApproved({ period, attempt }: Sent): boolean {
    return attempt > random(this.#seed + period).pick(DECLINES)
  }

  #start(): Service {
    const mortal = this.#mortal
    const told = (key: string) => {
      const { id, isApproved } = this.#charged.get(key)!
      const answer = isApproved
        ? { result: 'approved' as const, external_id: id, reason: null }
        : { result: 'declined' as const, external_id: id, reason: 'card_declined' }
      return { came: 'answered', answer } as const
    }
    const charge = {
      send: async (_: unknown, key: string) => {
        if (!this.#charged.has(key))
          this.#charged.set(key, {
            id: `ch-${key}`,
            isApproved: this.#isApproved(await this.#sentOf(key)),
            given: false,
          })
        return told(key)
      },
      find: async (_: unknown, key: string) => (this.#charged.has(key) ? told(key) : ({ came: 'never' } as const)),
    }
    const refund = {
      send: async ({ external_id }: { readonly external_id: string }, key: string) => {
        for (const [of, one] of this.#charged)
          if (one.id === external_id) this.#charged.set(of, { ...one, given: true })
        return { came: 'answered', answer: { external_id: `re-${key}` } } as const
      },
      find: async () => ({ came: 'never' }) as const,
    }
    const adapters = new Map([
      adapterAt(charging, mortal.of(charge, ['send', 'find'])),
      adapterAt(refunding, mortal.of(refund, ['send', 'find'])),
    ])
    const mortally = <T extends object>(one: T, names: readonly (keyof T)[]) => mortal.of(one, names)
    return startService({ ...this.#kept, documents: this.#documents, clocks: this.clocks, adapters, mortally })
  }

  async #readOn(): Promise<void> {
    for await (const event of this.#kept.log.readAll({ after: this.#read })) {
      if (event.type === charges.model.stages.begun)
        this.#sentFor.set(derivedId(event.id, charges.calls[0]!.name), Number(event.data.invoice_id))
      this.#tasks.take(event, this.#service.reactions)
      this.#read = event.position
    }
  }

  async #attempt(): Promise<boolean> {
    await this.#readOn()
    const open = this.#tasks.firsts().filter((task) => this.#tasks.dueOf(task) <= this.clocks.workspace)
    await this.#documents.follow()
    const timers = this.#service.reactions.find(({ name }) => name === 'timers')!
    const due = (await this.#service.dueRecords()).flatMap((event) =>
      timers
        .places(event)
        .filter(({ lane }) => !this.#tasks.isOpen(lane))
        .map(({ lane }): Task => ({ name: '', lane, reaction: timers.name, event })),
    )
    const all = [...open, ...due]
    if (all.length === 0) return false
    await this.#run(this.#numbers.pick(all))
    return true
  }

  async #run(task: Task): Promise<void> {
    const reaction = this.#service.reactions.find(({ name }) => name === task.reaction)!
    const turn = this.#mortal.of(this.#tasks.turnOf(task), ['saveCursor'])
    const outcome = await Promise.race([reaction.react(task.event, turn), this.#mortal.death])
    if (outcome === undefined) return
    if (outcome.came === 'refused') this.complaints.push(...outcome.reasons)
    if (task.name !== '') this.#tasks.after(task, outcome)
    this.#tasks.write()
  }
}
