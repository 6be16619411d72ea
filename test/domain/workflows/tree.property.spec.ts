import { expect } from 'chai'
import fc from 'fast-check'
import type { RecordCommand } from '../../../domain/kernel/decide/rules.ts'
import { recordOf } from '../../../domain/kernel/model/fold.ts'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../../domain/kernel/values/stream-name.ts'
import { nextStep } from '../../../domain/resources/tree/walk.ts'
import { step, version, workflow } from '../../../domain/workflows/workflow/model.ts'
import { workflows } from '../../../domain/workflows/workflow/rules.ts'
import { shownPlace } from '../../../domain/workflows/workflow/shown-steps.ts'
import type { StepNode } from '../../../domain/workflows/workflow/tree.ts'
import { AT, ask, ROOT, WORKSPACE } from '../../support/decider.ts'
import { seedOfRun } from '../../support/random.ts'

/** A step of the model: sequences of steps, of which splits have two more. */
interface Step {
  readonly id: number
  readonly sides?: readonly [Step[], Step[]]
}

/** An abstract command. Its numbers pick among the steps that exist when it is executed. */
interface Move {
  readonly kind: 'end' | 'at' | 'behind' | 'inside' | 'split' | 'move' | 'moveInside' | 'moveOut' | 'remove' | 'enable'
  readonly pick: number
  readonly other: number
}

const KINDS: readonly Move['kind'][] = [
  ...([
    'end',
    'at',
    'behind',
    'inside',
    'split',
    'split',
    'move',
    'moveInside',
    'moveOut',
    'remove',
    'enable',
  ] as const),
]

const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...KINDS), pick: fc.nat(1000), other: fc.nat(1000) }),
  { maxLength: 40, size: 'max' },
)

const FACTS = { found: new Map(), currency: 'USD' }
const named = (id: number) => ({ id, sent: String(id) })

class Run {
  readonly trunk: Step[] = []
  state = workflows.initial
  #revision = 0
  #next = 100
  published: { readonly id: number; readonly trunk: string }[] = []

  constructor() {
    const triggered = {
      ...{ trigger_id: 3, event_type_key: '$optin', active: true, allow_anonymous_contacts: true },
    }
    this.apply([workflow.event.WorkflowCreated({ name: 'W' }), workflow.event.TriggerAdded(triggered)])
  }

  apply(events: readonly DomainEvent[]): void {
    const metadata = { at: AT, actor: 'a', $correlationId: 'c', $causationId: 'c', workspace_id: WORKSPACE }
    const recorded = events.map((event) => ({
      ...event,
      ...{ metadata, stream: streamOf(workflows, ROOT), revision: this.#revision++ },
    }))
    this.state = workflows.fold(this.state, recorded)
  }

  decide(command: RecordCommand): void {
    const decision = workflows.decide(
      this.state,
      command,
      command.type === 'enable' ? { revisions: new Map(), idle: [] } : FACTS,
    )
    if (decision instanceof Refusal) throw decision
    this.apply(decision)
  }

  /** Adds a step and returns it as the model has it. */
  add(type: string, place: object): Step {
    const id = this.#next++
    this.decide(ask('create', { type, sent: {}, ...place }, { child: 'steps', id }))
    return type.includes('split') ? { id, sides: [[], []] } : { id }
  }

  change(id: number, place: object): void {
    this.decide(ask('change', place, { child: 'steps', id }))
  }

  sequences(steps: Step[] = this.trunk): Step[][] {
    return [steps, ...steps.flatMap(({ sides }) => (sides ?? []).flatMap((side) => this.sequences(side)))]
  }

  all(): Step[] {
    return this.sequences().flat()
  }

  sequenceOf(one: Step): Step[] {
    return this.sequences().find((sequence) => sequence.includes(one))!
  }

  enable(): void {
    const version_id = this.#next++
    const before = this.published.at(-1)
    this.decide(ask('enable', {}, { ids: [version_id] }))
    const now = JSON.stringify(this.trunk)
    if (before?.trunk !== now) this.published.push({ id: version_id, trunk: now })
  }
}

const among = <T>(list: readonly T[], pick: number): T | undefined =>
  list.length === 0 ? undefined : list[pick % list.length]

const branchName = (split: Step, run: Run, side: number) => {
  const type = recordOf(step)(run.state.documents[step.name]!.get(split.id)!).step_type
  return type === 'conditional_split_step' ? (['matched', 'unmatched'] as const)[side] : String(side)
}

const effects: Readonly<Record<Move['kind'], (run: Run, pick: number, other: number) => void>> = {
  end(run) {
    run.trunk.push(run.add('delay_step', {}))
  },
  at(run, pick) {
    const position = pick % (run.trunk.length + 1)
    run.trunk.splice(position, 0, run.add('notify_step', { position }))
  },
  behind(run, pick) {
    const anchor = among(run.all(), pick)
    if (!anchor) return
    const sequence = run.sequenceOf(anchor)
    sequence.splice(sequence.indexOf(anchor) + 1, 0, run.add('delay_step', { after: named(anchor.id) }))
  },
  inside(run, pick, other) {
    const split = among(
      run.all().filter(({ sides }) => sides),
      pick,
    )
    if (!split?.sides) return
    const side = other % 2
    const place = { parent: named(split.id), branch: branchName(split, run, side) }
    split.sides[side]!.push(run.add('delay_step', place))
  },
  split(run, pick, other) {
    const type = other % 2 === 0 ? 'split_test_step' : 'conditional_split_step'
    const anchor = other % 3 === 0 ? undefined : among(run.all(), pick)
    const sequence = anchor ? run.sequenceOf(anchor) : run.trunk
    const index = anchor ? sequence.indexOf(anchor) + 1 : sequence.length
    sequence.splice(index, 0, run.add(type, anchor ? { after: named(anchor.id) } : {}))
  },
  move(run, pick, other) {
    const one = among(
      run.all().filter(({ sides }) => !sides),
      pick,
    )
    if (!one) return
    const sequence = run.sequenceOf(one)
    const position = other % sequence.length
    run.change(one.id, { position })
    sequence.splice(sequence.indexOf(one), 1)
    sequence.splice(position, 0, one)
  },
  moveInside(run, pick, other) {
    const one = among(
      run.all().filter(({ sides }) => !sides),
      pick,
    )
    const split = among(
      run.all().filter(({ sides }) => sides),
      other,
    )
    if (!one || !split?.sides) return
    const side = pick % 2
    run.change(one.id, { parent: named(split.id), branch: branchName(split, run, side), position: 0 })
    const sequence = run.sequenceOf(one)
    sequence.splice(sequence.indexOf(one), 1)
    split.sides[side]!.unshift(one)
  },
  moveOut(run, pick) {
    const one = among(
      run.all().filter(({ sides }) => !sides),
      pick,
    )
    if (!one) return
    run.change(one.id, { parent: null })
    const sequence = run.sequenceOf(one)
    if (sequence === run.trunk) return
    sequence.splice(sequence.indexOf(one), 1)
    run.trunk.push(one)
  },
  remove(run, pick) {
    const one = among(run.all(), pick)
    if (!one) return
    run.decide(ask('remove', {}, { child: 'steps', id: one.id }))
    const sequence = run.sequenceOf(one)
    sequence.splice(sequence.indexOf(one), 1)
  },
  enable(run) {
    run.enable()
  },
}

const plain = (tree: readonly Pick<StepNode, 'id' | 'branches'>[]): unknown =>
  tree.map(({ id, branches }) => (branches ? { id, sides: branches.map(plain) } : { id }))

/** Ids in the order of execution, with a choice for each split. */
const flow = (steps: readonly Step[], choose: (id: number) => 0 | 1): number[] =>
  steps.flatMap(({ id, sides }) => [id, ...(sides ? flow(sides[choose(id)], choose) : [])])

describe('the tree of a workflow', () => {
  it('equals a simple model after any sequence of edits, and so does each version', () => {
    const property = fc.property(moves, (sequence) => {
      const run = new Run()
      for (const { kind, pick, other } of sequence) effects[kind](run, pick, other)
      const root = recordOf(workflow)(run.state.documents[workflow.name]!.get(ROOT)!)
      expect(plain(root.tree)).to.deep.equal(JSON.parse(JSON.stringify(run.trunk)))
      const records = [...(run.state.documents[step.name]?.keys() ?? [])].sort((a, b) => a - b)
      const ids = run.all().map(({ id }) => id)
      expect(records, 'a step has a record while it is in the tree').to.deep.equal(ids.sort((a, b) => a - b))
      const versions = [...(run.state.documents[version.name]?.values() ?? [])].map(recordOf(version))
      expect(
        versions.map(({ id }) => id),
        'a version for each change',
      ).to.deep.equal(run.published.map(({ id }) => id))
      for (const [index, { trunk }] of run.published.entries())
        expect(plain(versions[index]!.steps)).to.deep.equal(JSON.parse(trunk))
      expect(root.version_id).to.equal(run.published.at(-1)?.id ?? null)
    })
    fc.assert(property, { numRuns: 500, seed: seedOfRun() })
  })

  it('shows for each step where a run goes on behind it', () => {
    const property = fc.property(moves, (sequence) => {
      const run = new Run()
      for (const { kind, pick, other } of sequence) effects[kind](run, pick, other)
      const document = run.state.documents[workflow.name]!.get(ROOT)!
      const { tree } = recordOf(workflow)(document)
      for (const side of [0, 1] as const) {
        const path = flow(run.trunk, () => side)
        for (const [index, id] of path.entries()) {
          const next = nextStep<StepNode>(tree, id, side)
          expect(next?.id, `after ${id}`).to.equal(path[index + 1])
        }
      }
      for (const { id, sides } of run.all()) {
        const shown = shownPlace(id, document)
        const after = nextStep<StepNode>(tree, id)?.id ?? null
        expect(shown.convergence_step_id, `convergence of ${id}`).to.equal(sides ? after : null)
      }
    })
    fc.assert(property, { numRuns: 500, seed: seedOfRun() })
  })
})
