import type { EventLog } from '../../../domain/kernel/ports/event-log.ts'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../../domain/kernel/values/stream-name.ts'
import { charges } from '../../../domain/orders/billing/charge.ts'
import { invoice } from '../../../domain/orders/invoice/model.ts'
import { orders } from '../../../domain/orders/order/rules.ts'
import { isOwed } from '../../../domain/orders/statuses.ts'
import { derivedId } from '../../../workers/derived-id.ts'
import { type Random, random } from '../../support/random.ts'
import { Mortal } from '../kills/mortal.ts'
import { Bank, MANNERS, type Manner, type Sent } from './bank.ts'
import { catalogueOf } from './catalogue.ts'
import { Checks } from './checks.ts'
import { Client } from './client.ts'
import { Clocks, DAY } from './clocks.ts'
import { Ledger } from './ledger.ts'
import { type Bought, randomSale } from './sale.ts'
import { type Documents, type Kept, openDocuments, type Service, startService } from './service.ts'
import { type Task, Tasks } from './tasks.ts'

/** Attempts after which a life that should have come to rest is broken. */
const MOST_ATTEMPTS = 20_000
const LONGEST_RUN = 250

/** One subscription with its service, which dies and starts again, its gateway, its clients and its clocks. */
export class Life {
  readonly numbers: Random
  readonly clocks: Clocks
  readonly bank: Bank
  readonly client: Client
  readonly complaints: string[] = []
  attempts = 0
  kills = 0
  /** Whether the service lives on, the gateway answers, and nobody does anything. */
  #isCalm = false
  /** Until when the gateway is away, by its own clock, and how that looks. */
  #away: { readonly until: number; readonly looks: Manner } = { until: 0, looks: 'fails' }
  readonly #kept: Kept
  readonly #orderId: number
  readonly #documents: Documents
  readonly #tasks = new Tasks()
  readonly #bought: Bought
  /** Copies of the store of the reactor. */
  readonly #copies: ReturnType<Tasks['copy']>[] = []
  /** Invoices of the charges by their keys. */
  readonly #invoiceOf = new Map<string, number>()
  #read: number
  #mortal = new Mortal()
  #service: Service

  private constructor(kept: Kept, after: number, seed: number) {
    const { workspaceId, mint } = kept
    const numbers = random(seed)
    this.numbers = numbers
    this.#kept = kept
    this.#read = after
    this.#orderId = mint()
    const clocks = new Clocks(numbers.below(2) === 0)
    this.clocks = clocks
    this.bank = new Bank({
      now: () => clocks.truth,
      manner: () => this.#manner(),
      onCharge: (sent) => this.#onCharge(sent),
    })
    this.#documents = openDocuments(kept, after, catalogueOf(workspaceId))
    this.#bought = randomSale(numbers, clocks.workspace)
    this.#service = this.#start()
    const { bank } = this
    this.client = new Client({ numbers, clocks, bank, mint, service: () => this.#service, orderId: this.#orderId })
  }

  /** Begins a life with its purchase. */
  static async begin(log: EventLog, mint: () => number, seed: number): Promise<Life> {
    const life = new Life({ log, mint, workspaceId: mint() }, await log.lastPosition(), seed)
    const { paid, placing } = life.#bought
    const charge = paid > 0n ? life.bank.enter('checkout', paid) : undefined
    const sold = await life.#service.ask({
      ...{ aggregate: orders, id: life.#orderId, type: 'sell', ids: [mint(), mint()] },
      wanted: placing(charge?.id ?? null, mint),
    })
    if (sold instanceof Refusal) throw sold
    return life
  }

  /** Makes one attempt of something that is to be done now. @returns false when there is nothing */
  async attempt(): Promise<boolean> {
    if (++this.attempts > MOST_ATTEMPTS) throw new Error('it does not come to rest')
    await this.#readOn()
    const { numbers, clocks } = this
    const open = this.#tasks.firsts().filter((task) => this.#tasks.dueOf(task) <= clocks.workspace)
    const due = open.length === 0 || numbers.below(4) === 0 ? await this.#dueTimers() : []
    const all = [...open, ...due]
    if (all.length === 0) return false
    if (numbers.below(12) === 0) this.copy()
    await this.#run(numbers.pick(all))
    if (!this.#isCalm && numbers.below(3) === 0) this.#tasks.write()
    return true
  }

  /** Lets time pass. @param attended whether the service runs meanwhile */
  async pass(ms: number, attended: boolean): Promise<void> {
    const until = this.clocks.truth + ms
    while (attended && this.clocks.truth < until) {
      if (await this.attempt()) continue
      const next = await this.#next()
      if (this.clocks.truth + next > until) break
      this.clocks.pass(next)
    }
    this.clocks.pass(until - this.clocks.truth)
  }

  /** The gateway goes away for a while. */
  goAway(ms: number): void {
    this.#away = { until: this.clocks.truth + ms, looks: this.numbers.pick(['fails', 'loses', 'acts and loses']) }
  }

  /** Takes a copy of the store of the reactor. */
  copy(): void {
    this.#copies.push(this.#tasks.copy())
  }

  /** Kills the service and starts it again, with its store or with an older copy of it. */
  async restart(old = false): Promise<void> {
    await this.#mortal.kill()
    this.kills++
    this.#service = this.#start()
    // Copies that are not old are taken most often.
    const { length } = this.#copies
    const [copy] = old ? this.#copies.splice(this.numbers.pick([0, length - 1, length - 1, length - 2]), 1) : []
    this.#tasks.restart(copy)
  }

  /** Ends all faults and lets everything come to rest: whoever is asked to check a stuck process resumes it. */
  async settle(): Promise<void> {
    this.#isCalm = true
    this.#away = { until: 0, looks: 'answers' }
    await this.restart()
    const { bank, clocks } = this
    const checks = new Checks({
      bank,
      clocks,
      documents: this.#documents,
      service: this.#service,
      orderId: this.#orderId,
    })
    for (;;) {
      if (await this.attempt()) continue
      if (this.bank.notices.length > 0) {
        await this.client.act('notify')
        continue
      }
      if (await checks.resumeStuck()) continue
      if (await checks.isAtRest()) break
      const next = await this.#next()
      if (next === Number.POSITIVE_INFINITY) throw new Error('something is open, and nothing is to be done about it')
      this.clocks.pass(next)
    }
    const stuck = this.#service.stuckTimers()
    if (stuck.length > 0) this.complaints.push(`timers are stuck: ${stuck}`)
  }

  /** Returns what is wrong after a life has come to rest. */
  async audit(): Promise<readonly string[]> {
    const ledger = new Ledger(this.#bought.price, this.#bought.quantity)
    for (const event of await this.story()) ledger.enter(event)
    return [...this.complaints, ...this.#tasks.failed, ...ledger.close(this.bank)]
  }

  /** Returns the events of the order. */
  async story(): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = []
    for await (const event of this.#kept.log.readStream(streamOf(orders, this.#orderId))) events.push(event)
    return events
  }

  #start(): Service {
    const mortal = new Mortal(
      this.#isCalm ? Number.POSITIVE_INFINITY : 1 + this.numbers.below(this.numbers.pick([9, LONGEST_RUN])),
    )
    this.#mortal = mortal
    const adapters = this.bank.adapters((adapter) => mortal.of(adapter, ['send', 'find'] as never))
    const mortally = <T extends object>(one: T, names: readonly (keyof T)[]) => mortal.of(one, names)
    return startService({ ...this.#kept, documents: this.#documents, clocks: this.clocks, adapters, mortally })
  }

  async #readOn(): Promise<void> {
    for await (const event of this.#kept.log.readAll({ after: this.#read })) {
      if (event.type === charges.model.stages.begun)
        this.#invoiceOf.set(derivedId(event.id, charges.calls[0]!.name), Number(event.data.invoice_id))
      this.#tasks.take(event, this.#service.reactions)
      this.#read = event.position
    }
  }

  async #dueTimers(): Promise<readonly Task[]> {
    await this.#documents.follow()
    const timers = this.#service.reactions.find(({ name }) => name === 'timers')!
    const events = await this.#service.dueRecords()
    return events.flatMap((event) =>
      timers
        .places(event)
        .filter(({ lane }) => !this.#tasks.isOpen(lane))
        .map(({ lane }) => ({ name: '', lane, reaction: timers.name, event })),
    )
  }

  async #run(task: Task): Promise<void> {
    const reaction = this.#service.reactions.find(({ name }) => name === task.reaction)!
    const turn = this.#mortal.of(this.#tasks.turnOf(task), ['saveCursor'])
    const tried = reaction.react(task.event, turn).catch((error: unknown) => ({ came: 'threw', error }) as const)
    const outcome = await Promise.race([tried, this.#mortal.death])
    if (outcome === undefined) return this.#comeBack()
    if (outcome.came === 'refused' && reaction.name === 'timers') this.complaints.push(...outcome.reasons)
    // Timers that were found to be due are no tasks of the store.
    if (task.name === '') return
    if (outcome.came !== 'threw') this.#tasks.after(task, outcome)
    else this.#tasks.afterFailure(task, reaction, outcome.error, this.clocks.workspace + 1000)
  }

  /** Starts again after a death, at once or after up to a month, with the store as it was or with an older copy. */
  async #comeBack(): Promise<void> {
    const { numbers } = this
    if (numbers.below(3) === 0) await this.pass(numbers.below(35) * DAY, false)
    await this.restart(numbers.below(3) === 0)
  }

  /** Returns the milliseconds until something is to be done. */
  async #next(): Promise<number> {
    const dues = this.#tasks.firsts().map((task) => this.#tasks.dueOf(task))
    return Math.max(1, Math.min(...dues, await this.#service.nextDue()) - this.clocks.workspace)
  }

  #manner(): Manner {
    if (this.#isCalm) return 'answers'
    const { until, looks } = this.#away
    if (this.clocks.truth < until) return looks
    return this.numbers.below(3) > 0 ? 'answers' : this.numbers.pick(MANNERS)
  }

  async #onCharge({ key }: Sent): Promise<void> {
    const id = this.#invoiceOf.get(key)
    const records = await this.#service.engine.records(orders, this.#orderId, Number.POSITIVE_INFINITY)
    const target = id === undefined ? undefined : records.one(invoice, id)
    if (!target || !isOwed(target))
      this.complaints.push(`invoice ${id} is charged although it is ${target?.status}, at ${this.clocks.truth}`)
    // Whatever happens from here on comes too late.
    if (!this.#isCalm && this.numbers.below(8) === 0) await this.client.act()
  }
}
