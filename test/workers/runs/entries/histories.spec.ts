import { expect } from 'chai'
import { appliedTag } from '../../../../domain/contacts/contact/model.ts'
import { contacts } from '../../../../domain/contacts/public.ts'
import { runs } from '../../../../domain/workflows/run/rules.ts'
import { BLANK_DELAY } from '../../../../domain/workflows/steps/delay-settings.ts'
import { workflow } from '../../../../domain/workflows/workflow/model.ts'
import { workflows } from '../../../../domain/workflows/workflow/rules.ts'
import type { FrozenStep } from '../../../../domain/workflows/workflow/tree.ts'
import { byForm, patience, printFigures } from '../../../reliability/form.ts'
import { type Random, random, seedOfRun } from '../../../support/random.ts'
import { type Awaited, Oracle, type Stage } from './oracle.ts'
import { CONTACTS, TAGS, World } from './world.ts'

const HISTORIES = byForm(100, 1000)
const ACTS = 14
const WORKFLOWS = [101, 102, 103]
const PAGES = [70, 71]
const { event } = workflow

const KEYS = { tag: '$contact.tag_applied', untag: '$contact.tag_removed', optin: '$optin' } as const

const conditionOf = ({ key, id }: Pick<Awaited, 'key' | 'id'>) =>
  key === 'optin' ? { contacts_tag_id: null, page_id: id } : { contacts_tag_id: id, page_id: null }

/** A history of a workspace: what happens in it is drawn, and noted for the oracle. */
class History {
  readonly world: World
  readonly stages: Stage[] = []
  readonly #random: Random
  #step = 1000

  constructor(drawn: Random) {
    this.#random = drawn
    this.world = new World(drawn)
    for (const id of WORKFLOWS) this.#create(id)
  }

  #drawAwaited(): Awaited {
    const key = this.#random.pick(['tag', 'tag', 'untag', 'optin'] as const)
    return { key, id: this.#random.pick(key === 'optin' ? PAGES : TAGS), active: true }
  }

  #steps(of: number): readonly FrozenStep[] {
    const step = (type: FrozenStep['type'], settings: FrozenStep['settings']): FrozenStep => ({
      ...{ id: ++this.#step, type, settings, name: '' },
    })
    const change = (action: string, ...contacts_tag_ids: readonly number[]) =>
      step('contact_tag_step', { action, contacts_tag_ids })
    const wait = () => step('delay_step', { ...BLANK_DELAY, interval: 'minutes', duration: 10 })
    const tag = () => this.#random.pick(TAGS)
    const next = WORKFLOWS[(WORKFLOWS.indexOf(of) + 1) % WORKFLOWS.length]!
    return this.#random.pick([
      () => [],
      () => [change('Add Tags', tag())],
      () => [wait()],
      () => [change('Add Tags', tag()), wait(), change('Remove Tags', tag())],
      () => [change('Remove Tags', ...TAGS), change('Add Tags', ...TAGS)],
      () => [step('move_step', { workflow_id: next })],
    ])()
  }

  #create(id: number): void {
    const triggers = [this.#drawAwaited(), this.#drawAwaited()]
    const added = triggers.map((one, index) =>
      event.TriggerAdded({
        ...{ trigger_id: 10 * id + index, event_type_key: KEYS[one.key], active: true },
        ...{ allow_anonymous_contacts: true, ...conditionOf(one) },
      } as never),
    )
    const published = { version_id: id, number: 1, steps: this.#steps(id), filter_ids: [], template_ids: [] }
    this.world.append(
      ...([workflows, id, event.WorkflowCreated({ name: 'W' }), ...added] as const),
      ...[event.WorkflowVersionPublished(published), event.WorkflowEnabled()],
    )
    this.#note({ workflow: id, enabled: true, triggers })
  }

  #note(stage: Omit<Stage, 'from'>): void {
    this.stages.push({ ...stage, from: this.world.memory.events.length })
  }

  #changeTrigger(): void {
    const stage = this.stages.findLast(({ workflow: id }) => id === this.#drawnWorkflow)!
    const place = this.#random.below(2)
    const trigger_id = 10 * stage.workflow + place
    const before = stage.triggers[place]!
    const wanted = this.#random.pick([
      { ...this.#drawAwaited(), active: before.active },
      { ...before, active: !before.active },
    ])
    const data = { trigger_id, event_type_key: KEYS[wanted.key], ...conditionOf(wanted) }
    const changed =
      wanted.active === before.active
        ? event.TriggerChanged(data as never)
        : (wanted.active ? event.TriggerActivated : event.TriggerDeactivated)({ trigger_id } as never)
    this.world.append(workflows, stage.workflow, changed)
    this.#note({ ...stage, triggers: stage.triggers.with(place, wanted) })
  }

  #drawnWorkflow = WORKFLOWS[0]!

  async #switch(): Promise<void> {
    const stage = this.stages.findLast(({ workflow: id }) => id === this.#drawnWorkflow)!
    if (stage.enabled) await this.world.disable(stage.workflow)
    else this.world.append(workflows, stage.workflow, event.WorkflowEnabled())
    this.#note({ ...stage, enabled: !stage.enabled })
  }

  async #tag(of: number, tag_ids: readonly number[]): Promise<void> {
    const ids = tag_ids.map(() => this.world.nextId())
    await this.world.send(contacts, of, 'tag', { tag_ids }, { ids, of: appliedTag.name })
  }

  async #act(): Promise<void> {
    const { world } = this
    const drawn = this.#random
    const of = drawn.pick(CONTACTS)
    this.#drawnWorkflow = drawn.pick(WORKFLOWS)
    const start = { workflow_id: this.#drawnWorkflow, contact_id: of }
    const two = [drawn.pick(TAGS), drawn.pick(TAGS)]
    await drawn.pick([
      () => this.#tag(of, [two[0]!]),
      () => this.#tag(of, [...new Set(two)]),
      () => world.send(contacts, of, 'untag', { tag_ids: [drawn.pick(TAGS)] }),
      async () => {
        for (const one of CONTACTS) {
          await this.#tag(one, [...new Set(two)])
          await this.#work()
        }
      },
      async () => world.optIn(of, drawn.pick(PAGES)),
      () => world.send(runs, world.nextId(), 'create', start),
      () => world.send(runs, world.nextId(), 'create', { ...start, forced: true }),
      async () => this.#changeTrigger(),
      () => this.#switch(),
      () => world.later(drawn.pick([3, 12])),
    ])()
  }

  async #work(): Promise<void> {
    for (let rounds = this.#random.below(4); rounds > 0; rounds--)
      await this.world.round(1 + this.#random.below(4), this.#random.below(3) === 0)
  }

  async tell(): Promise<readonly string[]> {
    for (let act = 0; act < ACTS; act++) {
      await this.#act()
      await this.#work()
    }
    // A chain goes over ten delays at most.
    for (let tick = 0; tick < 30; tick++) {
      await this.world.settle()
      await this.world.later(12)
    }
    await this.world.settle()
    const oracle = new Oracle(this.world.memory.events, this.stages, this.world.lookedAt)
    const open = [...oracle.runs.values()].filter(({ ended }) => ended === Number.POSITIVE_INFINITY)
    return [...oracle.faults(), ...open.map(({ id }) => `run ${id}: never over`)]
  }
}

describe('who enters workflows, against a reader of the log', function () {
  this.timeout(patience)

  it(`14 81, 82, 104: is decided as of the event, once, in ${HISTORIES} random histories over deaths of the worker`, async () => {
    const seeds = random(seedOfRun())
    let [deaths, started] = [0, 0]
    for (let history = 0; history < HISTORIES; history++) {
      const seed = seeds.below(2 ** 31)
      const one = new History(random(seed))
      expect(await one.tell(), `history ${history}, of seed ${seed}`).to.deep.equal([])
      deaths += one.world.deaths
      started += one.world.memory.events.filter(({ type }) => type === 'RunStarted').length
    }
    expect(deaths).to.be.above(HISTORIES / 2)
    expect(started).to.be.above(HISTORIES)
    printFigures('entries', `${HISTORIES} histories with ${started} runs over ${deaths} deaths of the worker`)
  })
})
