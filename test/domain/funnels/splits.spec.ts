import { funnels } from '../../../domain/funnels/funnel/rules.ts'
import type { WantedBranch, WantedVariant } from '../../../domain/funnels/funnel/wanted.ts'
import type { Json } from '../../../domain/kernel/values/event.ts'
import { ask, given } from '../../support/decider.ts'
import {
  conditional,
  facts,
  funnelOf,
  inserted,
  inside,
  placed,
  refTo,
  slot,
  splitTest,
  step,
  trunk,
} from './samples.ts'

const variant = (page?: number | null, weight?: Json, unsupported: readonly string[] = []): WantedVariant => ({
  ...(page !== undefined && { slot: page === null ? null : slot(page) }),
  ...(weight !== undefined && { weight }),
  unsupported,
})
const insertTest = (variants: readonly WantedVariant[], anchor?: number) =>
  ask('create', { variants, ...(anchor !== undefined && { anchor }) }, { child: 'tests', id: 50 })
const changeTest = (variants: readonly WantedVariant[]) => ask('change', { variants }, { child: 'tests', id: 50 })
const branch = (
  sent: { single?: number; sequence?: readonly number[]; unsupported?: readonly string[] } = {},
): WantedBranch => ({
  ...(sent.single !== undefined && { single: slot(sent.single) }),
  ...(sent.sequence && { sequence: sent.sequence.map(slot) }),
  unsupported: sent.unsupported ?? [],
})
const insertConditional = (branches: readonly WantedBranch[], more: object = {}) =>
  ask('create', { branches, ...more }, { child: 'conditionals', id: 60 })
const changeConditional = (more: object) => ask('change', more, { child: 'conditionals', id: 60 })
const moved = (page: number, from: ReturnType<typeof trunk>, place: ReturnType<typeof trunk>) =>
  ({ type: 'PageMoved', data: { ...refTo(page), step_id: page + 100, from, place } }) as const

describe('split test', () => {
  const tested = [...funnelOf(1, 2, 3), inserted(splitTest(50), trunk(2)), moved(2, trunk(1), inside(50, 0, 0))]

  it('wraps a page in place when it is anchored behind it', () => {
    given(funnels, ...funnelOf(1, 2, 3))
      .when(insertTest([variant(2), variant(9)], 202), facts([9]))
      .then(inserted(splitTest(50), trunk(2)), moved(2, trunk(1), inside(50, 0, 0)), placed(9, inside(50, 1, 0)))
  })

  it('is inserted at the entry without an anchor, with an empty second branch for one variant', () => {
    given(funnels, ...funnelOf(1, 2))
      .when(insertTest([variant(2)]), facts())
      .then(inserted(splitTest(50, [100, 0]), trunk(0)), moved(2, trunk(2), inside(50, 0, 0)))
  })

  it('nests in the branch that its anchor stands in', () => {
    given(funnels, ...tested)
      .when(ask('create', { variants: [variant(2)], anchor: 202 }, { child: 'tests', id: 51 }), facts())
      .then(inserted(splitTest(51, [100, 0]), inside(50, 0, 1)), moved(2, inside(50, 0, 0), inside(51, 0, 0)))
  })

  it('accepts weights that sum to 100, for both branches or for none', () => {
    const weighed = (first: Json, second?: Json) => insertTest([variant(1, first), variant(9, second)], 201)
    given(funnels, ...funnelOf(1))
      .when(weighed(70, 30), facts([9]))
      .then(
        inserted(splitTest(50, [70, 30]), trunk(1)),
        moved(1, trunk(0), inside(50, 0, 0)),
        placed(9, inside(50, 1, 0)),
      )
    given(funnels, ...funnelOf(1))
      .when(weighed(70, 20), facts([9]))
      .refuses('invalid', 'split_test_step.variants weights must sum to 100')
    given(funnels, ...funnelOf(1))
      .when(weighed(70), facts([9]))
      .refuses('invalid', 'split_test_step.variants must give a weight each, or none')
    for (const wrong of [101, -1, 0.5, 'x', null]) {
      given(funnels, ...funnelOf(1))
        .when(weighed(wrong, 50), facts([9]))
        .refuses('invalid', /variants\[0\].weight must be an integer from 0 to 100/)
    }
  })

  it('wants a first page of this funnel and a second that no step shows', () => {
    const first = 'split_test_step.variants[0].page_id does not belong to this funnel'
    given(funnels, ...funnelOf(1))
      .when(insertTest([variant(9)]), facts([9]))
      .refuses('invalid', first)
    given(funnels, ...funnelOf(1))
      .when(insertTest([variant()]), facts())
      .refuses('invalid', first)
    const second = 'split_test_step.variants[1].page_id is already used by another funnel step'
    given(funnels, ...funnelOf(1, 2))
      .when(insertTest([variant(1), variant(2)]), facts([2]))
      .refuses('invalid', second)
    given(funnels, ...funnelOf(1))
      .when(insertTest([variant(1), variant(9)]), facts([], { pages: { 9: { in_funnel: true } } }))
      .refuses('invalid', second)
    given(funnels, ...funnelOf(1))
      .when(insertTest([variant(1), variant(9)]), facts())
      .refuses('malformed', 'split_test_step.variants[1].page_id not found in this workspace')
  })

  it('refuses other shapes', () => {
    given(funnels, ...funnelOf(1))
      .when(insertTest([]), facts())
      .refuses('invalid', 'split_test_step.variants must have 1 or 2 entries')
    given(funnels, ...funnelOf(1))
      .when(insertTest([variant(1, undefined, ['url'])]), facts())
      .refuses('invalid', 'split_test_step.variants[0] has unsupported keys: url. Accepted keys: page_id, weight.')
    given(funnels, ...funnelOf(1))
      .when(insertTest([variant(1)], 999), facts())
      .refuses('invalid', 'split_test_step.show_page_step_id does not belong to this funnel')
    given(funnels, ...tested)
      .when(changeTest([variant()]), facts())
      .refuses('invalid', 'split_test_step.variants must have 2 entries')
    given(funnels, ...tested)
      .when(changeTest([variant(null), variant()]), facts())
      .refuses('invalid', /variants\[0\].page_id can't be blank/)
  })

  it('attaches to an empty branch, and puts a new step in the place of a filled one', () => {
    given(funnels, ...tested)
      .when(
        changeTest([variant(2), variant(9, 40)].map((one, index) => (index ? one : { ...one, weight: 60 }))),
        facts([9]),
      )
      .then(placed(9, inside(50, 1, 0)), { type: 'VariantsWeighted', data: { split_id: 50, weights: [60, 40] } })
    given(funnels, ...tested)
      .when(changeTest([variant(9), variant()]), facts([9]))
      .then(placed(9, inside(50, 0, 0)), {
        type: 'StepRemoved',
        data: { ...refTo(2), step_id: 102, from: inside(50, 0, 1) },
      })
    given(funnels, ...tested)
      .when(changeTest([variant(2), variant()]), facts())
      .thenNothing()
  })

  it('collapses: the kept branch moves up, the other is dropped with its content', () => {
    const nested = [...tested, inserted(conditional(60), inside(50, 1, 0)), placed(9, inside(60, 0, 0))]
    const collapse = (drop: 0 | 1 | 'both') => ask('remove', { drop }, { child: 'tests', id: 50 })
    given(funnels, ...nested)
      .when(collapse(1), facts())
      .then({
        type: 'SplitCollapsed',
        data: { split_id: 50, kept: 0, dropped_steps: [refTo(9)], dropped_split_ids: [60], moved_page_ids: [2] },
      })
    given(funnels, ...nested)
      .when(collapse('both'), facts())
      .then({
        type: 'SplitCollapsed',
        data: { split_id: 50, kept: null, dropped_steps: [refTo(2), refTo(9)], dropped_split_ids: [60] },
      })
    given(funnels, ...funnelOf(1))
      .when(collapse(0), facts())
      .refuses('notFound', /missing/)
  })
})

describe('conditional split', () => {
  const filter = { id: 77, public_id: 'filter' }
  const withFilter = (pages: readonly number[] = []) => ({ ...facts(pages), filter })
  const conditioned = [
    ...funnelOf(1),
    inserted(conditional(60), trunk(0)),
    placed(5, inside(60, 0, 0)),
    placed(6, inside(60, 0, 1)),
  ]

  it('may begin empty, at the entry', () => {
    given(funnels, ...funnelOf(1))
      .when(insertConditional([]), facts())
      .then(inserted(conditional(60), trunk(0)))
  })

  it('takes a page or a sequence for each branch, and a condition', () => {
    given(funnels, ...funnelOf(1))
      .when(
        insertConditional([branch({ single: 5 }), branch({ sequence: [6, 7] })], {
          anchor: 201,
          condition: { raw: false, filterId: 77 },
        }),
        withFilter([5, 6, 7]),
      )
      .then(
        inserted({ ...conditional(60), filter } as ReturnType<typeof conditional>, trunk(1)),
        placed(5, inside(60, 0, 0)),
        placed(6, inside(60, 1, 0)),
        placed(7, inside(60, 1, 1)),
      )
  })

  it('names its filter by a stable identifier of the workspace', () => {
    given(funnels, ...funnelOf())
      .when(insertConditional([], { condition: { raw: true } }), facts())
      .refuses('invalid', 'condition.filter_id must be a stable identifier, not a raw numeric id')
    given(funnels, ...funnelOf())
      .when(insertConditional([], { condition: { raw: false, filterId: 1 } }), facts())
      .refuses('invalid', 'condition.filter_id not found in this workspace')
  })

  it('refuses pages that are not there or not free, and other shapes', () => {
    const insert = (...branches: readonly WantedBranch[]) => insertConditional(branches)
    given(funnels, ...funnelOf())
      .when(insert(branch({ single: 5 })), facts())
      .refuses('malformed', 'conditional_split_step.branches[0].page_id not found in this workspace')
    given(funnels, ...funnelOf(5))
      .when(insert(branch(), branch({ single: 5 })), facts([5]))
      .refuses('invalid', 'conditional_split_step.branches[1].page_id is already used by another funnel step')
    given(funnels, ...funnelOf())
      .when(insert(branch({ single: 5 }), branch({ sequence: [6, 5] })), facts([5, 6]))
      .refuses('invalid', 'conditional_split_step.branches[1].page_ids[1] is already used by another funnel step')
    given(funnels, ...funnelOf())
      .when(insert(branch({ single: 5, sequence: [6] })), facts([5, 6]))
      .refuses('malformed', 'conditional_split_step.branches[0] must provide either page_id or page_ids, not both')
    given(funnels, ...funnelOf())
      .when(insert(branch({ unsupported: ['external_url'] })), facts())
      .refuses(
        'invalid',
        'conditional_split_step.branches[0] has unsupported keys: external_url. Accepted keys: page_id, page_ids.',
      )
  })

  it('swaps the first page of a filled branch, attaches to an empty one, and appends sequences', () => {
    const data = {
      ...refTo(5),
      page_id: 8,
      step_id: 105,
      former_page_id: 5,
      current_path: '/p5',
      place: inside(60, 0, 0),
    }
    given(funnels, ...conditioned)
      .when(changeConditional({ branches: [branch({ single: 8 }), branch({ single: 9 })] }), facts([8, 9]))
      .then({ type: 'PageSwapped', data }, placed(9, inside(60, 1, 0)))
    given(funnels, ...conditioned)
      .when(changeConditional({ branches: [branch({ sequence: [8] }), branch()] }), facts([8]))
      .then(placed(8, inside(60, 0, 2)))
    given(funnels, ...conditioned)
      .when(changeConditional({ condition: { raw: false, filterId: 77 } }), withFilter())
      .then({ type: 'SplitConditionSet', data: { split_id: 60, filter } })
    given(funnels, ...conditioned)
      .when(changeConditional({}), facts())
      .refuses('invalid', 'conditional_split_step must have at least one of condition, branches')
    given(funnels, ...conditioned)
      .when(changeConditional({ branches: [branch()] }), facts())
      .refuses('invalid', 'conditional_split_step.branches must have 2 entries')
  })

  it('removes the slug of a step that gets an external page, and makes one when the page leaves', () => {
    const external = { pages: { 8: { external: true, name: 'Far' } } }
    const swapped = {
      ...refTo(5),
      page_id: 8,
      step_id: 105,
      former_page_id: 5,
      current_path: null,
      place: inside(60, 0, 0),
    }
    const event = { type: 'PageSwapped', data: swapped } as const
    given(funnels, ...conditioned)
      .when(changeConditional({ branches: [branch({ single: 8 }), branch()] }), facts([], external))
      .then(event)
    given(funnels, ...conditioned, event)
      .when(changeConditional({ branches: [branch({ single: 9 }), branch()] }), facts([9]))
      .then({
        type: 'PageSwapped',
        data: { ...swapped, page_id: 9, former_page_id: 8, current_path: step(9).current_path },
      })
  })
})
