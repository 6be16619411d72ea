import { setTimeout as sleep } from 'node:timers/promises'
import { contact } from '../../../../domain/contacts/contact/model.ts'
import { contacts } from '../../../../domain/contacts/public.ts'
import { formSubmission } from '../../../../domain/forms/form-submission/model.ts'
import { resources } from '../../../../domain/index.ts'
import type { Decider } from '../../../../domain/kernel/decide/decider.ts'
import type { Transaction } from '../../../../domain/kernel/engine/transaction.ts'
import { writeAround } from '../../../../domain/kernel/engine/write.ts'
import type { RecordOf } from '../../../../domain/kernel/model/model.ts'
import type { Document } from '../../../../domain/kernel/ports/read-models.ts'
import type { DomainEvent, Json, RecordedEvent } from '../../../../domain/kernel/values/event.ts'
import { Refusal, refuse } from '../../../../domain/kernel/values/refusal.ts'
import { run } from '../../../../domain/workflows/run/model.ts'
import { runs } from '../../../../domain/workflows/run/rules.ts'
import { workflows } from '../../../../domain/workflows/workflow/rules.ts'
import { NO_COPY } from '../../../../workers/older-copy.ts'
import type { Outcome, Reaction, TaskTurn } from '../../../../workers/reactor/reaction.ts'
import { isPassing } from '../../../../workers/retry-while-unavailable.ts'
import { BegunRuns } from '../../../../workers/runs/begun-runs.ts'
import { enteringReaction } from '../../../../workers/runs/entering.ts'
import type { RunsDeps } from '../../../../workers/runs/runs-deps.ts'
import { steppingReaction } from '../../../../workers/runs/stepping.ts'
import type { Random } from '../../../support/random.ts'
import { Death, MemoryEngine } from '../memory-engine.ts'

export const WORKSPACE = 7
export const CONTACTS = [61, 62]
export const TAGS = [1, 2, 3]
const BEGIN = Date.parse('2026-03-01T09:00:00.000Z')

const tags = (): ReadonlyMap<string, Document> =>
  new Map(TAGS.map((id): [string, Document] => [`contacts/tag ${id}`, { id, workspace_id: WORKSPACE }]))

/** A reaction to an event that is to be carried out. */
interface Pending {
  readonly reaction: Reaction
  readonly event: RecordedEvent
  readonly lane: string
  cursor: Json
}

/** Tries again for as long as the log is not there, as the reactor does. */
const untilThere = async ({ reaction, event }: Pending, turn: TaskTurn, pauseMs: () => number): Promise<Outcome> => {
  for (;;) {
    try {
      return await reaction.react(event, turn)
    } catch (error) {
      if (!isPassing(error)) throw error
      await sleep(pauseMs())
    }
  }
}

/** A log in memory, and a worker that reacts to it. The worker can die before and after any write, and forgets all then but where it had come to. */
export class World {
  readonly memory = new MemoryEngine(tags())
  /** Number of events of the log when a worker had done with the entries of an event first, by its position. */
  readonly lookedAt = new Map<number, number>()
  readonly #random: Random
  #reactions: readonly Reaction[] = []
  #pending: Pending[] = []
  #read = 0
  /** Position up to which the documents show the log to the worker. */
  #shown = -1
  #minute = 0
  #id = 10_000
  deaths = 0
  /** One of so many answers of the log is lost, although it has written what it was asked to. */
  loses = Number.POSITIVE_INFINITY

  constructor(random: Random) {
    this.#random = random
    this.#start()
    for (const id of CONTACTS)
      this.append(contacts, id, contact.event.ContactCreated({ uuid: `${id}`, time_zone: null }))
  }

  get at(): string {
    return new Date(BEGIN + this.#minute * 60_000).toISOString()
  }

  nextId(): number {
    return ++this.#id
  }

  append(aggregate: Decider, id: number, ...events: readonly DomainEvent[]): void {
    this.memory.append(aggregate, id, this.at, ...events)
  }

  /** Sends a command as the API, a job or a timer would, which do not die here. */
  async send(aggregate: Decider, id: number, type: string, wanted: object = {}, more: object = {}): Promise<boolean> {
    const command = { type, id, wanted, workspaceId: WORKSPACE, at: this.at, actor: { label: 'test' }, ...more }
    this.memory.dieAfter = Number.POSITIVE_INFINITY
    const result = await this.memory.engine.transact({
      ...{ aggregate, id, command: command as never, workspaceId: WORKSPACE, teamId: 1 },
      ...{ causationId: `sent ${this.nextId()}`, correlationId: 'sent' },
    })
    return !(result instanceof Refusal)
  }

  tagsOf(id: number): readonly number[] {
    return this.memory.record<RecordOf<typeof contact>>(contacts, id, contact.name)?.tag_ids ?? []
  }

  optIn(contact_id: number, page_id: number): void {
    const id = this.nextId()
    const next = { page_id: null, url: '/' }
    const submitted = { contact_id, page_id, person_id: contact_id, nonce: `${id}`, next, awaits_confirmation: false }
    const aggregate = resources.find(({ name }) => name === formSubmission.name)!.aggregate
    this.append(aggregate, id, { type: 'PageFormSubmitted', data: submitted } as never)
  }

  /** Starts a worker that knows nothing but the log. */
  #start(): void {
    const { memory } = this
    const { engine } = memory
    const forgetful = {
      ...engine,
      transact: async (transaction: Transaction) => {
        const result = await engine.transact(transaction)
        if (this.#random.below(1_000_000) < 1_000_000 / this.loses) throw refuse.unavailable('the answer was lost')
        return result
      },
    }
    const seen = async ({ position }: { readonly position: number }) => {
      this.#shown = Math.max(this.#shown, position)
    }
    const deps = {
      ...{ engine: forgetful, live: memory.liveUpTo(() => this.#shown), log: memory.log, seen },
      begun: new BegunRuns({ log: memory.log, seen }),
      ...{ vault: { open: () => null, token: () => '' }, olderCopy: NO_COPY, history: {} },
      resources: new Map(resources.map((one) => [one.name, one])),
      ids: { next: () => this.nextId(), refill: async () => undefined },
      now: () => BEGIN + this.#minute * 60_000,
    } as unknown as RunsDeps
    this.#reactions = [enteringReaction(deps), steppingReaction(deps)]
  }

  /** Takes up what the log has more, as the reactor does. */
  #takeUp(): void {
    for (const { events } = this.memory; this.#read < events.length; this.#read++) {
      const event = events[this.#read]!
      for (const { watch } of this.#reactions) watch?.(event)
      for (const reaction of this.#reactions) {
        const concerns = reaction.on === 'all' ? reaction.concerns?.(event) : reaction.on.includes(event.type)
        if (!concerns) continue
        for (const { lane } of reaction.places(event)) this.#pending.push({ reaction, event, lane, cursor: null })
      }
    }
  }

  /** Lets another worker come, which begins somewhere before what was left undone, and so looks at some things again. */
  #die(): void {
    this.deaths++
    const undone = Math.min(this.#read, ...this.#pending.map(({ event }) => event.position))
    this.#pending = []
    this.#read = this.#random.below(undone + 1)
    this.#start()
  }

  async #carryOut(task: Pending): Promise<void> {
    const turn = {
      ...{ lane: task.lane, stopping: () => false, cursor: () => task.cursor },
      write: () => writeAround(this.memory.log as never, task.event),
      saveCursor: async (value: Json) => {
        task.cursor = value
      },
    } as TaskTurn
    const outcome = await untilThere(task, turn, () => this.#random.below(20))
    if (this.memory.dieAfter < 0) throw new Death()
    if (outcome.came !== 'done') return
    this.#pending.splice(this.#pending.indexOf(task), 1)
    const { position } = task.event
    if (task.reaction.name === 'entries' && !this.lookedAt.has(position))
      this.lookedAt.set(position, this.memory.events.length)
  }

  /** Returns the first task of each lane. */
  #first(): readonly Pending[] {
    return [...new Map(this.#pending.toReversed().map((task) => [task.lane, task])).values()]
  }

  /** Carries out some of the tasks that are the first of their lanes, side by side. */
  async round(most: number, isMortal: boolean): Promise<boolean> {
    this.#takeUp()
    this.#shown = Math.max(this.#shown, this.#random.below(this.memory.events.length + 1) - 1)
    const first = this.#first()
    if (first.length === 0) return false
    const some = this.#random.shuffled(first).slice(0, most)
    this.memory.dieAfter = isMortal ? this.#random.below(12) : Number.POSITIVE_INFINITY
    const ended = await Promise.allSettled(some.map((task) => this.#carryOut(task)))
    for (const one of ended) if (one.status === 'rejected' && !(one.reason instanceof Death)) throw one.reason
    if (this.memory.dieAfter < 0) this.#die()
    return true
  }

  /** Carries out everything that there is, each as soon as its lane is free, while other tasks are under way. */
  async flow(): Promise<void> {
    const running = new Map<string, Promise<void>>()
    for (;;) {
      this.#takeUp()
      for (const task of this.#first())
        if (!running.has(task.lane))
          running.set(
            task.lane,
            this.#carryOut(task).finally(() => running.delete(task.lane)),
          )
      if (running.size === 0) return
      await Promise.race([...running.values(), sleep(1)])
    }
  }

  async settle(): Promise<void> {
    while (await this.round(Number.POSITIVE_INFINITY, false));
  }

  /** Lets time pass, and those runs go on that have waited for long enough. */
  async later(minutes: number): Promise<void> {
    this.#minute += minutes
    const paused = this.memory.live.find(run.name, { where: { status: 'paused' } }) as unknown as RecordOf<typeof run>[]
    for (const { id, resume_at } of paused)
      if (resume_at !== null && resume_at <= this.at) await this.send(runs, id, 'resume')
  }

  /** Disables a workflow. A policy cancels its runs. */
  async disable(id: number): Promise<void> {
    await this.send(workflows, id, 'disable')
    const { enabling } = this.memory.record<{ enabling: number }>(workflows, id, 'workflow')!
    const own = this.memory.live.find(run.name, { where: { workflow_id: id } })
    for (const one of own) await this.send(runs, Number(one.id), 'cancel', { reason: 'disabled', enabling })
  }
}
