import { expect } from 'chai'
import fc from 'fast-check'
import { contact } from '../../../domain/contacts/contact/model.ts'
import { contacts } from '../../../domain/contacts/public.ts'
import type { Decider } from '../../../domain/kernel/decide/decider.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import { run } from '../../../domain/workflows/run/model.ts'
import { runs } from '../../../domain/workflows/run/rules.ts'
import { BLANK_DELAY } from '../../../domain/workflows/steps/delay-settings.ts'
import { isSplitType, type StepTypeName } from '../../../domain/workflows/steps/index.ts'
import { workflow } from '../../../domain/workflows/workflow/model.ts'
import { workflows } from '../../../domain/workflows/workflow/rules.ts'
import type { FrozenStep, FrozenTree } from '../../../domain/workflows/workflow/tree.ts'
import { NO_COPY } from '../../../workers/older-copy.ts'
import type { TaskTurn } from '../../../workers/reactor/reaction.ts'
import type { RunsDeps } from '../../../workers/runs/runs-deps.ts'
import { steppingReaction } from '../../../workers/runs/stepping.ts'
import { byForm, patience } from '../../reliability/form.ts'
import { seedOfRun } from '../../support/random.ts'
import { type Happening, Interpreter, type Told } from './interpreter.ts'
import { Death, MemoryEngine } from './memory-engine.ts'

const TREES = byForm(300, 5000)
const [WORKFLOW, CONTACT, RUN, WORKSPACE] = [5, 6, 9, 7]
const TAGS = [1, 2, 3]
const BEGIN = Date.parse('2026-03-01T09:00:00.000Z')
const isoAt = (minute: number): string => new Date(BEGIN + minute * 60_000).toISOString()

/** A step as fast-check makes it. Numbers pick among tags, minutes and weights. */
interface Drawn {
  readonly type: StepTypeName
  readonly pick: number
  readonly sides: readonly [readonly Drawn[], readonly Drawn[]]
}

const DEPTH = 4

const TYPES: readonly StepTypeName[] = [
  ...(['contact_tag_step', 'contact_tag_step', 'delay_step', 'notify_step'] as const),
  ...(['conditional_split_step', 'split_test_step'] as const),
]

/** Sequences of steps. Splits have further ones, to a depth. */
const sequenceOf = (depth: number): fc.Arbitrary<readonly Drawn[]> => {
  const side = depth === 0 ? fc.constant([]) : sequenceOf(depth - 1)
  const step = fc.record({ type: fc.constantFrom(...TYPES), pick: fc.nat(1000), sides: fc.tuple(side, side) })
  return fc.array(step, { maxLength: 5 })
}

const settingsOf = ({ type, pick }: Drawn) => {
  const tag = TAGS[pick % TAGS.length]!
  if (type === 'contact_tag_step') return { action: pick % 2 ? 'Add Tags' : 'Remove Tags', contacts_tag_ids: [tag] }
  if (type === 'delay_step') return { ...BLANK_DELAY, interval: 'minutes', duration: pick % 50 }
  if (type === 'conditional_split_step') return { filter_id: tag }
  return type === 'split_test_step' ? { weights: [pick % 101, 100 - (pick % 101)] } : {}
}

const treeOf = (drawn: readonly Drawn[], next: () => number): FrozenTree =>
  drawn.map((one): FrozenStep => {
    const step = { id: next(), type: one.type, name: '', settings: settingsOf(one) }
    if (!isSplitType(one.type)) return step
    return { ...step, branches: [treeOf(one.sides[0], next), treeOf(one.sides[1], next)] }
  })

const happenings = fc
  .array(
    fc.record({
      minute: fc.integer({ min: 1, max: 40 }),
      what: fc.constantFrom<Happening['what']>('nothing', 'nothing', 'tag', 'untag', 'publish', 'publish', 'disable'),
      tag: fc.constantFrom(...TAGS),
    }),
    { maxLength: 12 },
  )
  .map((some) => {
    let minute = 0
    const after = (minutes: number): number => {
      minute += minutes
      return minute
    }
    const ticks = some.map((one): Happening => ({ ...one, minute: after(one.minute) }))
    // Afterwards the clock ticks on, for longer than all delays of a tree can take.
    const rest = Array.from({ length: 400 }, (): Happening => ({ minute: after(25), what: 'nothing', tag: 0 }))
    return [...ticks, ...rest]
  })

const documents = (): ReadonlyMap<string, Document> =>
  new Map(
    TAGS.flatMap((id): [string, Document][] => [
      [`contacts/tag ${id}`, { id, workspace_id: WORKSPACE }],
      [
        `refine_filter ${id}`,
        {
          ...{ id, workspace_id: WORKSPACE, filter_class: 'ContactsFilter', conjunction: 'and' },
          criteria: [{ attribute: 'tags.id', clause: 'in', value: [String(id)], ids: [id] }],
        },
      ],
    ]),
  )

/** Workflow, contact and run in memory, with a process that steps and can die. */
class World {
  readonly memory = new MemoryEngine(documents())
  readonly #deaths: readonly number[]
  #death = 0
  #minute = 0
  #id = 10_000

  constructor(tree: FrozenTree, deaths: readonly number[]) {
    this.#deaths = deaths
    const { event } = workflow
    this.#append(
      workflows,
      WORKFLOW,
      event.WorkflowCreated({ name: 'W' }),
      event.TriggerAdded({ trigger_id: 1, event_type_key: '$optin', active: true, allow_anonymous_contacts: true }),
      event.WorkflowVersionPublished({ version_id: 1, number: 1, steps: tree, filter_ids: [], template_ids: [] }),
      event.WorkflowEnabled(),
    )
    this.#append(contacts, CONTACT, contact.event.ContactCreated({ uuid: 'u', time_zone: null }))
  }

  #append(aggregate: Decider, id: number, ...events: Parameters<MemoryEngine['append']>[3][]): void {
    this.memory.append(aggregate, id, isoAt(this.#minute), ...events)
  }

  get run(): RecordOf<typeof run> {
    return this.memory.record<RecordOf<typeof run>>(runs, RUN, run.name)!
  }

  get tags(): readonly number[] {
    return [...(this.memory.record<RecordOf<typeof contact>>(contacts, CONTACT, contact.name)?.tag_ids ?? [])].sort()
  }

  /** Sends a command to the run as the workers would. */
  async #send(type: string, wanted: object = {}): Promise<void> {
    const command = { type, id: RUN, wanted, workspaceId: WORKSPACE, at: isoAt(this.#minute), actor: { label: 'test' } }
    this.memory.dieAfter = Number.POSITIVE_INFINITY
    await this.memory.engine.transact({
      ...{ aggregate: runs, id: RUN, command: command as never, workspaceId: WORKSPACE },
      ...{ causationId: 'c', correlationId: 'c', teamId: 1 },
    })
  }

  /** Steps as long as the run does not wait. A process that dies is followed by another. */
  async #step(): Promise<void> {
    const deps = {
      ...{
        engine: this.memory.engine,
        live: this.memory.live,
        seen: async () => undefined,
        begun: { of: async () => [] },
      },
      ...{ log: { claimed: async (key: string) => this.memory.claimed(key), lastPosition: async () => 0 } },
      ...{ vault: { open: () => null, token: () => '' }, resources: new Map(), olderCopy: NO_COPY },
      ids: { next: () => ++this.#id, refill: async () => undefined },
      now: () => BEGIN + this.#minute * 60_000,
    } as unknown as RunsDeps
    const turn = { stopping: () => false, cursor: () => null, saveCursor: async () => undefined } as unknown as TaskTurn
    const cause = this.memory.events.findLast(({ type }) => type === 'RunStarted' || type === 'RunResumed')!
    for (;;) {
      this.memory.dieAfter = this.#deaths[this.#death++] ?? Number.POSITIVE_INFINITY
      try {
        const outcome = await steppingReaction(deps).react(cause, turn)
        if (this.memory.dieAfter < 0) continue
        if (outcome.came === 'done') return
      } catch (error) {
        if (!(error instanceof Death)) throw error
      }
    }
  }

  async begin(): Promise<void> {
    await this.#send('create', { workflow_id: WORKFLOW, contact_id: CONTACT })
    await this.#step()
  }

  async tick({ minute, what, tag }: Happening): Promise<void> {
    this.#minute = minute
    const applied = this.tags.includes(tag)
    if (what === 'tag' && !applied)
      this.#append(contacts, CONTACT, contact.event.ContactTagApplied({ applied_tag_id: tag, tag_id: tag }))
    if (what === 'untag' && applied) {
      const { applied_tags } = this.memory.record<RecordOf<typeof contact>>(contacts, CONTACT, contact.name)!
      for (const { applied_tag_id, tag_id } of applied_tags.filter((one) => one.tag_id === tag))
        this.#append(contacts, CONTACT, contact.event.ContactTagRemoved({ applied_tag_id, tag_id }))
    }
    // An edit takes all steps away. The run finishes on its version.
    const published = { version_id: minute + 1, number: minute + 1, steps: [], filter_ids: [], template_ids: [] }
    if (what === 'publish') this.#append(workflows, WORKFLOW, workflow.event.WorkflowVersionPublished(published))
    if (what === 'disable') {
      this.#append(workflows, WORKFLOW, workflow.event.WorkflowDisabled())
      await this.#send('cancel', { reason: 'the workflow was disabled', enabling: 1 })
    }
    if (this.run.status !== 'paused' || this.run.resume_at! > isoAt(minute)) return
    await this.#send('resume')
    await this.#step()
  }

  told(): Told {
    const passed = this.memory.events.flatMap(({ type, data, metadata: { at } }) =>
      type === 'RunStepPassed'
        ? [[Number(data.step_id), data.branch as number | null, (Date.parse(at) - BEGIN) / 60_000] as const]
        : [],
    )
    return { passed, tags: this.tags, status: this.run.status as Told['status'] }
  }
}

describe('runs against an interpreter of the structure', function () {
  this.timeout(patience)

  it(`14 87, 98, 102, 103: do what it says, for ${TREES} random trees, clocks, edits, events and deaths of the process`, async () => {
    const deaths = fc.array(fc.nat(6), { maxLength: 12 })
    const property = fc.asyncProperty(sequenceOf(DEPTH), happenings, deaths, async (drawn, ticks, dying) => {
      let id = 100
      const tree = treeOf(drawn, () => ++id)
      const world = new World(tree, dying)
      await world.begin()
      for (const tick of ticks) {
        if (world.run.status !== 'paused') break
        await world.tick(tick)
      }
      expect(world.told()).to.deep.equal(new Interpreter(RUN, ticks).tell(tree))
    })
    await fc.assert(property, { numRuns: TREES, seed: seedOfRun() })
  })
})
