import { funnelAggregate } from '../../../domain/funnels/funnel/aggregate.ts'
import { given } from '../../support/decider.ts'
import { command, created, facts, funnelOf, idsOf, newcomer, placed, refTo, step, trunk } from './samples.ts'

const create = {
  type: 'CreateFunnel',
  workspaceId: 7,
  path: '/launch',
  suffix: 'x1',
  code: {},
  fields: { name: 'Launch' },
} as const
const place = (page: number, more: object = {}) =>
  command({ type: 'PlacePage', page: newcomer(page), ...idsOf(page), ...more })
const arrange = (page: number, more: object) => command({ type: 'ArrangePage', page: newcomer(page), ...more })

describe('funnel', () => {
  it('is created in test mode, or live when asked for', () => {
    given(funnelAggregate).when(command(create), facts()).then(created)
    given(funnelAggregate)
      .when(command({ ...create, fields: { name: 'Launch', live_mode: true } }), facts())
      .then(created, { type: 'FunnelWentLive', data: {} })
    given(funnelAggregate, created).when(command(create), facts()).thenNothing()
  })

  it('gets a path of its own when that of its name is taken, but keeps one that was asked for', () => {
    const taken = { ...facts(), pathTaken: true }
    given(funnelAggregate)
      .when(command(create), taken)
      .then({ ...created, data: { ...created.data, current_path: '/launch-x1' } })
    const { suffix: _, ...asked } = create
    given(funnelAggregate).when(command(asked), taken).then(created)
  })

  it('goes live and returns to test mode, once each', () => {
    const change = (live_mode: boolean) => command({ type: 'ChangeFunnel', code: {}, fields: { live_mode } })
    given(funnelAggregate, created).when(change(true), facts()).then({ type: 'FunnelWentLive', data: {} })
    given(funnelAggregate, created).when(change(false), facts()).thenNothing()
    given(funnelAggregate, created, { type: 'FunnelWentLive', data: {} })
      .when(change(false), facts())
      .then({ type: 'FunnelReturnedToTest', data: {} })
  })

  it('adds to its code, replaces it, and clears it', () => {
    const change = (code: Record<string, string | null>) => command({ type: 'ChangeFunnel', fields: {}, code })
    const set = { type: 'FunnelCodeSet', data: { head_code: '<a>' } } as const
    given(funnelAggregate, created)
      .when(change({ head_code: '<a>' }), facts())
      .then(set)
    given(funnelAggregate, created, set)
      .when(change({ head_code: '<b>' }), facts())
      .then({ type: 'FunnelCodeSet', data: { head_code: '<a>\n<b>' } })
    given(funnelAggregate, created, set)
      .when(change({ head_code: '<b>', head_code_mode: 'replace' }), facts())
      .then({ type: 'FunnelCodeSet', data: { head_code: '<b>' } })
    given(funnelAggregate, created, set)
      .when(change({ head_code: null }), facts())
      .then({ type: 'FunnelCodeSet', data: { head_code: null } })
    given(funnelAggregate, created)
      .when(change({ head_code: null }), facts())
      .thenNothing()
    given(funnelAggregate, created)
      .when(change({ head_code: 'x', head_code_mode: 'prepend' }), facts())
      .refuses('malformed', "Invalid code mode 'prepend'. Must be 'append' or 'replace'.")
  })

  it('takes a page last, at a position, or behind a step', () => {
    given(funnelAggregate, ...funnelOf(1, 2))
      .when(place(3), facts())
      .then({ type: 'StepPlaced', data: { step: step(3, '/p3'), place: trunk(2) } })
    given(funnelAggregate, ...funnelOf(1, 2))
      .when(place(3, { sortOrder: 0 }), facts())
      .then(placed(3, trunk(0)))
    given(funnelAggregate, ...funnelOf(1, 2))
      .when(place(3, { after: 201 }), facts())
      .then(placed(3, trunk(1)))
    given(funnelAggregate, ...funnelOf(1, 2))
      .when(place(2), facts())
      .thenNothing()
  })

  it('refuses positions and steps that are not there', () => {
    for (const sortOrder of [-1, 3]) {
      given(funnelAggregate, ...funnelOf(1, 2))
        .when(place(3, { sortOrder }), facts())
        .refuses('invalid', `sort_order ${sortOrder} is out of bounds (funnel has 2 step(s)).`)
    }
    given(funnelAggregate, created)
      .when(place(3, { after: 999 }), facts())
      .refuses('malformed', 'The step with the provided ID cannot be found.')
    given(funnelAggregate, created)
      .when(command({ type: 'PlacePage', page: { ...newcomer(3), external: true }, ...idsOf(3), after: 999 }), facts())
      .refuses('malformed', 'The funnel or show_page_step with the provided ID cannot be found.')
  })

  it('gives a new step a slug that no other step has, and an external page none', () => {
    const named = (page: number, name: string) =>
      command({ type: 'PlacePage', page: { pageId: page, external: false, name }, ...idsOf(page) })
    const first = { type: 'StepPlaced', data: { step: step(1, '/thank-you'), place: trunk(0) } } as const
    given(funnelAggregate, created).when(named(1, ' Thank  you! '), facts()).then(first)
    given(funnelAggregate, created, first)
      .when(named(2, 'Thank you'), facts())
      .then({ type: 'StepPlaced', data: { step: step(2, '/thank-you-2'), place: trunk(1) } })
    given(funnelAggregate, created)
      .when(command({ type: 'PlacePage', page: { pageId: 1, external: true, name: 'Far' }, ...idsOf(1) }), facts())
      .then({ type: 'StepPlaced', data: { step: step(1, null), place: trunk(0) } })
  })

  it('moves a page within its sequence', () => {
    const moved = { ...refTo(1), step_id: 101, from: trunk(0), place: trunk(2) }
    given(funnelAggregate, ...funnelOf(1, 2, 3))
      .when(arrange(1, { sortOrder: 2 }), facts())
      .then({ type: 'PageMoved', data: moved })
    given(funnelAggregate, ...funnelOf(1, 2, 3))
      .when(arrange(1, { sortOrder: 0 }), facts())
      .thenNothing()
    given(funnelAggregate, ...funnelOf(1, 2, 3))
      .when(arrange(1, { sortOrder: 3 }), facts())
      .refuses('invalid', 'sort_order 3 is out of bounds (funnel has 3 step(s)).')
    given(funnelAggregate, created)
      .when(arrange(1, { sortOrder: 0 }), facts())
      .refuses('invalid', 'sort_order needs a page that is on exactly one funnel step.')
  })

  it('lets a page come onto a step: its former page is left without one, and so is the step it came from', () => {
    const swapped = { ...refTo(2), page_id: 1, step_id: 102, former_page_id: 2, current_path: '/p2', place: trunk(1) }
    given(funnelAggregate, ...funnelOf(1, 2))
      .when(arrange(1, { onto: 202, sortOrder: 0 }), facts())
      .then(
        { type: 'StepRemoved', data: { ...refTo(1), step_id: 101, from: trunk(0) } },
        { type: 'PageSwapped', data: swapped },
      )
    given(funnelAggregate, ...funnelOf(1, 2))
      .when(arrange(2, { onto: 202 }), facts())
      .thenNothing()
    given(funnelAggregate, ...funnelOf(1))
      .when(arrange(1, { onto: 999 }), facts())
      .refuses('malformed', 'The show_page_step with the provided ID cannot be found.')
  })

  it('removes the step of a page', () => {
    const removed = { type: 'StepRemoved', data: { ...refTo(1), step_id: 101, from: trunk(0) } } as const
    given(funnelAggregate, ...funnelOf(1, 2))
      .when(command({ type: 'RemovePage', pageId: 1 }), facts())
      .then(removed)
    given(funnelAggregate, ...funnelOf(1, 2), removed)
      .when(command({ type: 'RemovePage', pageId: 1 }), facts())
      .thenNothing()
  })

  it('is not there before it is created', () => {
    given(funnelAggregate)
      .when(place(1), facts())
      .refuses('notFound', /missing/)
  })
})
