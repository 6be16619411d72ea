import { funnels } from '../../../domain/funnels/funnel/rules.ts'
import { ask, given } from '../../support/decider.ts'
import { arriving, created, facts, funnelOf, placed, refTo, step, trunk } from './samples.ts'

const named = { name: 'Launch', current_path: '/launch' }
const create = (more: object = {}) => ask('create', { ...named, suffix: 'x1', ...more })
const place = (page: number, more: object = {}) =>
  ask('placePage', { page: arriving(page), ...more }, { ids: [page + 100, page + 200] })
const arrange = (page: number, more: object) => ask('arrangePage', { page: arriving(page), ...more })
const change = (wanted: object) => ask('change', wanted)

describe('funnel', () => {
  it('is created in test mode, or live when asked for', () => {
    given(funnels).when(create(), facts()).then(created)
    given(funnels)
      .when(create({ live_mode: true }), facts())
      .then(created, { type: 'FunnelWentLive', data: {} })
    given(funnels, created).when(create(), facts()).thenNothing()
  })

  it('gets a unique path when that of its name is taken, but keeps a requested one', () => {
    const taken = { ...facts(), pathTaken: true }
    given(funnels)
      .when(create(), taken)
      .then({ ...created, data: { ...created.data, current_path: '/launch-x1' } })
    given(funnels).when(ask('create', named), taken).then(created)
  })

  it('goes live and returns to test mode, once each', () => {
    given(funnels, created)
      .when(change({ live_mode: true }), facts())
      .then({ type: 'FunnelWentLive', data: {} })
    given(funnels, created)
      .when(change({ live_mode: false }), facts())
      .thenNothing()
    given(funnels, created, { type: 'FunnelWentLive', data: {} })
      .when(change({ live_mode: false }), facts())
      .then({ type: 'FunnelReturnedToTest', data: {} })
  })

  it('adds to its code, replaces it, and clears it', () => {
    const set = { type: 'FunnelCodeSet', data: { head_code: '<a>' } } as const
    given(funnels, created)
      .when(change({ head_code: '<a>' }), facts())
      .then(set)
    given(funnels, created, set)
      .when(change({ head_code: '<b>' }), facts())
      .then({ type: 'FunnelCodeSet', data: { head_code: '<a>\n<b>' } })
    given(funnels, created, set)
      .when(change({ head_code: '<b>', head_code_mode: 'replace' }), facts())
      .then({ type: 'FunnelCodeSet', data: { head_code: '<b>' } })
    given(funnels, created, set)
      .when(change({ head_code: null }), facts())
      .then({ type: 'FunnelCodeSet', data: { head_code: null } })
    given(funnels, created)
      .when(change({ head_code: null }), facts())
      .thenNothing()
    given(funnels, created)
      .when(change({ head_code: 'x', head_code_mode: 'prepend' }), facts())
      .refuses('malformed', "Invalid code mode 'prepend'. Must be 'append' or 'replace'.")
    const longest = { type: 'FunnelCodeSet', data: { head_code: 'x'.repeat(1_000_000) } } as const
    given(funnels, created, longest)
      .when(change({ head_code: '' }), facts())
      .thenNothing()
    given(funnels, created, longest)
      .when(change({ head_code: 'x' }), facts())
      .refuses('invalid', 'Head code is too long (maximum is 1000000 characters)')
  })

  it('takes a page last, at a position, or behind a step', () => {
    given(funnels, ...funnelOf(1, 2))
      .when(place(3), facts())
      .then({ type: 'StepPlaced', data: { step: step(3, '/p3'), place: trunk(2) } })
    given(funnels, ...funnelOf(1, 2))
      .when(place(3, { sortOrder: 0 }), facts())
      .then(placed(3, trunk(0)))
    given(funnels, ...funnelOf(1, 2))
      .when(place(3, { after: 201 }), facts())
      .then(placed(3, trunk(1)))
    given(funnels, ...funnelOf(1, 2))
      .when(place(2), facts())
      .thenNothing()
  })

  it('refuses positions and steps that do not exist', () => {
    for (const sortOrder of [-1, 3]) {
      given(funnels, ...funnelOf(1, 2))
        .when(place(3, { sortOrder }), facts())
        .refuses('invalid', `sort_order ${sortOrder} is out of bounds (funnel has 2 step(s)).`)
    }
    given(funnels, created)
      .when(place(3, { after: 999 }), facts())
      .refuses('malformed', 'The step with the provided ID cannot be found.')
    given(funnels, created)
      .when(place(3, { page: { ...arriving(3), external: true }, after: 999 }), facts())
      .refuses('malformed', 'The funnel or show_page_step with the provided ID cannot be found.')
  })

  it('gives a new step a slug that no other step has, and an external page none', () => {
    const called = (page: number, name: string) => place(page, { page: { pageId: page, external: false, name } })
    const first = { type: 'StepPlaced', data: { step: step(1, '/thank-you'), place: trunk(0) } } as const
    given(funnels, created).when(called(1, ' Thank  you! '), facts()).then(first)
    given(funnels, created, first)
      .when(called(2, 'Thank you'), facts())
      .then({ type: 'StepPlaced', data: { step: step(2, '/thank-you-2'), place: trunk(1) } })
    given(funnels, created)
      .when(place(1, { page: { pageId: 1, external: true, name: 'Far' } }), facts())
      .then({ type: 'StepPlaced', data: { step: step(1, null), place: trunk(0) } })
  })

  it('moves a page within its sequence', () => {
    const moved = { ...refTo(1), step_id: 101, from: trunk(0), place: trunk(2) }
    given(funnels, ...funnelOf(1, 2, 3))
      .when(arrange(1, { sortOrder: 2 }), facts())
      .then({ type: 'PageMoved', data: moved })
    given(funnels, ...funnelOf(1, 2, 3))
      .when(arrange(1, { sortOrder: 0 }), facts())
      .thenNothing()
    given(funnels, ...funnelOf(1, 2, 3))
      .when(arrange(1, { sortOrder: 3 }), facts())
      .refuses('invalid', 'sort_order 3 is out of bounds (funnel has 3 step(s)).')
    given(funnels, created)
      .when(arrange(1, { sortOrder: 0 }), facts())
      .refuses('invalid', 'sort_order needs a page that is on exactly one funnel step.')
  })

  it('puts a page onto a step: its former page and the step the page came from are left empty', () => {
    const swapped = { ...refTo(2), page_id: 1, step_id: 102, former_page_id: 2, current_path: '/p2', place: trunk(1) }
    given(funnels, ...funnelOf(1, 2))
      .when(arrange(1, { onto: 202, sortOrder: 0 }), facts())
      .then(
        { type: 'StepRemoved', data: { ...refTo(1), step_id: 101, from: trunk(0) } },
        { type: 'PageSwapped', data: swapped },
      )
    given(funnels, ...funnelOf(1, 2))
      .when(arrange(2, { onto: 202 }), facts())
      .thenNothing()
    given(funnels, ...funnelOf(1))
      .when(arrange(1, { onto: 999 }), facts())
      .refuses('malformed', 'The show_page_step with the provided ID cannot be found.')
  })

  it('removes the step of a page', () => {
    const removed = { type: 'StepRemoved', data: { ...refTo(1), step_id: 101, from: trunk(0) } } as const
    given(funnels, ...funnelOf(1, 2))
      .when(ask('removePage', { pageId: 1 }), facts())
      .then(removed)
    given(funnels, ...funnelOf(1, 2), removed)
      .when(ask('removePage', { pageId: 1 }), facts())
      .thenNothing()
  })

  it('does not exist before it is created', () => {
    given(funnels)
      .when(place(1), facts())
      .refuses('notFound', /missing/)
  })
})
