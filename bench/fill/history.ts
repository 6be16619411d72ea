import { contacts } from '../../domain/contacts/contact/rules.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { opportunities } from '../../domain/sales/opportunity/rules.ts'
import type { Core } from '../../infra/runtime/core.ts'
import { BENCHMARK } from '../people.ts'
import { contactOf, makeTags } from './contacts.ts'
import { type Act, actor, type FillTarget, TOGETHER } from './target.ts'

/** Random numbers that are the same in every run (mulberry32). */
const seeded = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}

/** Half of the changes affect one of this many newest records, the other half any record. */
const NEWEST = 5000

/** Number of records of each kind that exist before the first change. */
const ENOUGH = 2 * TOGETHER

/** The history of a workspace: contacts are created, changed and tagged, opportunities opened and moved. */
class History {
  readonly contacts: number[] = []
  readonly #opportunities: number[] = []
  readonly #core: Core
  readonly #act: Act
  readonly #target: FillTarget
  readonly #tagIds: readonly number[]
  readonly #random = seeded(20_251_121)

  constructor(core: Core, act: Act, target: FillTarget, tagIds: readonly number[]) {
    this.#core = core
    this.#act = act
    this.#target = target
    this.#tagIds = tagIds
  }

  /** Executes one random command. @returns the number of its events */
  step(): Promise<number> {
    const dice = this.#random()
    if (dice < 0.4 || this.contacts.length < ENOUGH) return this.#create()
    if (dice < 0.6) return this.#change({ last_name: `Renamed ${this.#below(1e6)}` })
    if (dice < 0.75) return this.#tag()
    if (dice < 0.85 || this.#opportunities.length < ENOUGH) return this.#open()
    return this.#move()
  }

  #create(): Promise<number> {
    const id = this.#core.ids.next('contact')
    const command = contactOf(this.#core, this.#tagIds, id, this.contacts.length)
    this.contacts.push(id)
    return this.#act(contacts, id, command, true)
  }

  #change(wanted: JsonObject, ids: readonly number[] = []) {
    const id = this.#one(this.contacts)
    const command = { type: 'change', id, wanted, ids, ...this.#stamp() }
    return this.#act(contacts, id, command, false)
  }

  #tag(): Promise<number> {
    return this.#change({ tag_ids: [this.#any(this.#tagIds)] }, [this.#core.ids.next('contacts/applied_tag')])
  }

  #open(): Promise<number> {
    const id = this.#core.ids.next('sales/opportunity')
    const { workspaceId, stageIds } = this.#target
    const fields = {
      name: `Opportunity ${this.#opportunities.length}`,
      pipelines_stage_id: stageIds[0]!,
      primary_contact_id: this.#one(this.contacts),
      value: `${this.#below(10_000)}.00`,
    }
    this.#opportunities.push(id)
    const command = { type: 'create', id, workspaceId, wanted: fields, ...this.#stamp() }
    return this.#act(opportunities, id, command, true)
  }

  #move(): Promise<number> {
    const { workspaceId, stageIds } = this.#target
    const fields = { pipelines_stage_id: this.#any(stageIds) }
    const id = this.#one(this.#opportunities)
    const command = { type: 'change', id, workspaceId, wanted: fields, ...this.#stamp() }
    return this.#act(opportunities, id, command, false)
  }

  #stamp() {
    return { at: new Date().toISOString(), actor: BENCHMARK }
  }

  /** Picks a record outside the last batch, which may still be in flight. */
  #one(ids: readonly number[]): number {
    const settled = ids.length - TOGETHER
    const newest = this.#random() < 0.5
    return ids[newest ? settled - 1 - this.#below(Math.min(NEWEST, settled)) : this.#below(settled)]!
  }

  #any(ids: readonly number[]): number {
    return ids[this.#below(ids.length)]!
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end)
  }
}

/** Creates a history of at least a number of events. @returns the ids of its contacts */
export const fillWithHistory = async (
  core: Core,
  log: EventLog,
  target: FillTarget,
  events: number,
): Promise<readonly number[]> => {
  const act = actor(core, target)
  const history = new History(core, act, target, await makeTags(core, act))
  while ((await log.lastPosition()) + 1 < events) {
    await Promise.all(Array.from({ length: TOGETHER / 2 }, () => history.step()))
  }
  return history.contacts
}
