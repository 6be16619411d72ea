import { expect } from 'chai'
import fc from 'fast-check'
import { funnel } from '../../../domain/funnels/funnel/model.ts'
import { pagePlaces } from '../../../domain/funnels/funnel/page-places.ts'
import { funnels } from '../../../domain/funnels/funnel/rules.ts'
import { readStructure } from '../../../domain/funnels/funnel/structure.ts'
import { pageNodes } from '../../../domain/funnels/funnel/tree.ts'
import type { RecordCommand } from '../../../domain/kernel/decide/rules.ts'
import { foldOf, recordOf } from '../../../domain/kernel/model/fold.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { DomainEvent, JsonObject, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import type { ReadInput } from '../../../domain/resources/read-operation.ts'
import { AT, ask } from '../../support/decider.ts'
import { seedOfRun } from '../../support/random.ts'
import { Model, type PageStep, type SplitStep } from './model.ts'
import { arriving, created, facts } from './samples.ts'

/** An abstract command. Its numbers pick among the records that exist when it is executed. */
interface Move {
  readonly kind:
    | 'place'
    | 'after'
    | 'move'
    | 'swap'
    | 'remove'
    | 'test'
    | 'conditional'
    | 'fill'
    | 'swapVariant'
    | 'collapse'
  readonly pick: number
  readonly other: number
}

const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom<Move['kind'][]>(
    'place',
    'place',
    'after',
    'move',
    'swap',
    'remove',
    'test',
    'conditional',
    'fill',
    'swapVariant',
    'collapse',
  ),
  pick: fc.nat(1000),
  other: fc.nat(1000),
})

const { apply } = foldOf(funnel)
const treeOf = (document: JsonObject | undefined) => recordOf(funnel)(document ?? {}).tree

const among = <T>(list: readonly T[], pick: number): T | undefined =>
  list.length === 0 ? undefined : list[pick % list.length]

class Run {
  readonly model = new Model()
  state = funnels.initial
  document: JsonObject | undefined
  readonly places = new Map<number, JsonObject>()
  #next = 1000
  #revision = 0

  constructor() {
    this.apply(created)
  }

  mint(): number {
    return this.#next++
  }

  apply(event: DomainEvent): void {
    const metadata = { at: AT, actor: 'a', $correlationId: 'c', $causationId: 'c', workspace_id: 7 }
    const placed = { id: 'e', metadata, stream: 'funnel-1', revision: this.#revision, position: this.#revision++ }
    const recorded: RecordedEvent = { ...event, ...placed }
    this.state = funnels.fold(this.state, [recorded])
    this.document = JSON.parse(
      JSON.stringify(apply(this.document as Document | undefined, recorded, 1, String)),
    ) as JsonObject
    for (const { id, set } of pagePlaces.fields(recorded)) this.places.set(id, { ...this.places.get(id), ...set })
  }

  decide(command: RecordCommand, pages: readonly number[] = []): void {
    const decision = funnels.decide(this.state, command, facts(pages))
    if (decision instanceof Refusal) throw decision
    for (const event of decision) this.apply(event)
  }

  newPage(): { page: PageStep; slot: { pageId: number; stepId: number; showPageStepId: number } } {
    const [page, step, shown] = [this.mint(), this.mint(), this.mint()]
    return { page: { kind: 'page', page, step, shown }, slot: { pageId: page, stepId: step, showPageStepId: shown } }
  }

  async structure(): Promise<unknown[]> {
    const pages = pageNodes(treeOf(this.document)).map(
      ({ page_id }) => ({ id: page_id, name: 'P', public_id: 'p', external: false }) as unknown as Document,
    )
    const load = {
      many: async () => pages,
      one: async () => undefined,
      where: async () => [],
      present: async () => ({}),
    }
    const input = { document: { ...this.document, id: 1 }, load, publicId: String } as unknown as ReadInput
    const { steps } = (await readStructure(input)) as unknown as { readonly steps: readonly Shown[] }
    return steps.map(simplified)
  }
}

interface Shown {
  readonly id: number
  readonly step_type: string
  readonly sort_order: number
  readonly convergence_step_id?: number | null
  readonly show_page_step_id?: string
  readonly page?: { readonly id: number }
  readonly branches?: readonly { readonly branch: string; readonly steps: readonly Shown[] }[]
  readonly variants?: readonly { readonly weight: number; readonly steps: readonly Shown[] }[]
}

const simplified = ({
  id,
  step_type,
  sort_order,
  page,
  show_page_step_id,
  convergence_step_id: next,
  branches,
  variants,
}: Shown): unknown => {
  if (page) return { id, step_type, sort_order, shown: Number(show_page_step_id), page: page.id }
  const sides = (branches ?? variants ?? []).map(({ steps }) => steps.map(simplified))
  if (!variants) return { id, step_type, sort_order, next, sides }
  return { id, step_type, sort_order, next, weights: variants.map(({ weight }) => weight), sides }
}

const place = ({ page, step, shown }: PageStep, more: object) =>
  ask('placePage', { page: arriving(page), ...more }, { ids: [step, shown] })
const arrange = (page: number, more: object) => ask('arrangePage', { page: arriving(page), ...more })
const test = (id: number) => ({ child: 'tests', id })
const conditional = (id: number) => ({ child: 'conditionals', id })

const moves: Readonly<Record<Move['kind'], (run: Run, pick: number, other: number) => void>> = {
  place(run, pick) {
    const { page } = run.newPage()
    const sortOrder = pick % (run.model.trunk.length + 1)
    run.decide(place(page, { sortOrder }))
    run.model.trunk.splice(sortOrder, 0, page)
  },
  after(run, pick) {
    const anchor = among(run.model.pages(), pick)
    if (!anchor) return
    const { page } = run.newPage()
    run.decide(place(page, { after: anchor.shown }))
    const { steps, index } = run.model.whereIs(anchor)
    steps.splice(index + 1, 0, page)
  },
  move(run, pick, other) {
    const page = among(run.model.pages(), pick)
    if (!page) return
    const { steps } = run.model.whereIs(page)
    const sortOrder = other % steps.length
    run.decide(arrange(page.page, { sortOrder }))
    run.model.remove(page)
    steps.splice(sortOrder, 0, page)
  },
  swap(run, pick, other) {
    const target = among(run.model.pages(), pick)
    if (!target) return
    const present = other % 2 === 0 ? among(run.model.pages(), other) : undefined
    const page = present?.page ?? run.mint()
    run.decide(arrange(page, { onto: target.shown }))
    if (present && present !== target) run.model.remove(present)
    target.page = page
  },
  remove(run, pick) {
    const page = among(run.model.pages(), pick)
    if (!page) return
    run.decide(ask('removePage', { pageId: page.page }))
    run.model.remove(page)
  },
  test(run, pick, other) {
    const wrapped = among(run.model.pages(), pick)
    if (!wrapped) return
    const anchor = other % 3 === 0 ? undefined : among(run.model.pages(), other)
    const { page, slot } = run.newPage()
    const splitId = run.mint()
    const second = other % 2 === 0
    const variants = [
      { slot: { ...slot, pageId: wrapped.page }, unsupported: [] },
      ...(second ? [{ slot, unsupported: [] }] : []),
    ]
    run.decide(ask('create', { variants, ...(anchor && { anchor: anchor.shown }) }, test(splitId)), [page.page])
    const split: SplitStep = {
      kind: 'test',
      id: splitId,
      branches: [[], second ? [page] : []],
      weights: second ? [50, 50] : [100, 0],
    }
    run.model.insertSplit(split, anchor)
    run.model.remove(wrapped)
    split.branches[0].push(wrapped)
  },
  conditional(run, pick, other) {
    const anchor = other % 3 === 0 ? undefined : among(run.model.pages(), pick)
    const splitId = run.mint()
    const [one, two, three] = [run.newPage(), run.newPage(), run.newPage()]
    const branches = [
      { single: one.slot, unsupported: [] },
      { sequence: [two.slot, three.slot], unsupported: [] },
    ].slice(0, other % 3)
    run.decide(ask('create', { branches, ...(anchor && { anchor: anchor.shown }) }, conditional(splitId)), [
      one.page.page,
      two.page.page,
      three.page.page,
    ])
    const filled: SplitStep['branches'] = [
      branches.length > 0 ? [one.page] : [],
      branches.length > 1 ? [two.page, three.page] : [],
    ]
    run.model.insertSplit({ kind: 'conditional', id: splitId, branches: filled, weights: [0, 0] }, anchor)
  },
  fill(run, pick, other) {
    const split = among(
      run.model.splits().filter(({ kind }) => kind === 'conditional'),
      pick,
    )
    if (!split) return
    const { page, slot } = run.newPage()
    const branch = (other % 2) as 0 | 1
    const wanted = [0, 1].map((index) =>
      index === branch ? { sequence: [slot], unsupported: [] } : { unsupported: [] },
    )
    run.decide(ask('change', { branches: wanted }, conditional(split.id)), [page.page])
    split.branches[branch].push(page)
  },
  swapVariant(run, pick, other) {
    const split = among(
      run.model.splits().filter(({ kind }) => kind === 'test'),
      pick,
    )
    if (!split) return
    const { page, slot } = run.newPage()
    const branch = (other % 2) as 0 | 1
    const weight = other % 101
    const variants = [0, 1].map((index) => ({
      ...(index === branch && { slot }),
      weight: index === 0 ? weight : 100 - weight,
      unsupported: [],
    }))
    run.decide(ask('change', { variants }, test(split.id)), [page.page])
    if (split.branches[branch][0]?.kind === 'page') split.branches[branch].shift()
    split.branches[branch].unshift(page)
    split.weights = [weight, 100 - weight]
  },
  collapse(run, pick, other) {
    const split = among(run.model.splits(), pick)
    if (!split) return
    const drop = ([0, 1, 'both'] as const)[other % 3]!
    run.decide(ask('remove', { drop }, split.kind === 'test' ? test(split.id) : conditional(split.id)))
    run.model.collapse(split, drop)
  },
}

describe('the tree of a funnel', () => {
  it('equals a simple model after any sequence of commands', async () => {
    const property = fc.asyncProperty(fc.array(move, { maxLength: 60, size: 'max' }), async (sequence) => {
      const run = new Run()
      for (const { kind, pick, other } of sequence) moves[kind](run, pick, other)
      expect(await run.structure()).to.deep.equal(run.model.structure())
      expect(treeOf(run.document)).to.deep.equal(treeOf(run.state.documents.funnel?.get(1)))
      const shown = run.model.pages().map(({ page }) => page)
      expect(new Set(shown).size, 'a page is on one step at most').to.equal(shown.length)
      const joined = [...run.places].filter(([, set]) => set.in_funnel === true).map(([page]) => page)
      expect(joined.sort(), 'pages know where they are').to.deep.equal(shown.sort())
    })
    await fc.assert(property, { numRuns: 200, seed: seedOfRun() })
  })
})
