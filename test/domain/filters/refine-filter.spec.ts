import { proposedFrom } from '../../../domain/filters/criteria/criterion.ts'
import {
  type FilterWish,
  type RefineFilterEvent,
  refineFilterAggregate,
} from '../../../domain/filters/refine-filter/aggregate.ts'
import { basics, given } from '../../support/decider.ts'

const proposed = (...entries: readonly unknown[]) => proposedFrom(entries, () => undefined) ?? null
const ada = { attribute: 'first_name', clause: 'eq', value: 'Ada' }
const bob = { ...ada, value: 'Bob' }
const save = (wish: FilterWish, rules: 'open' | 'all' = 'open') =>
  ({ type: 'SaveFilter', workspaceId: 7, rules, wish, ...basics }) as const
const change = (wish: FilterWish) => ({ type: 'ChangeFilter', wish, ...basics }) as const
const saved: RefineFilterEvent = {
  type: 'FilterSaved',
  data: { name: 'Adas', filter_class: 'ContactsFilter', conjunction: 'and', criteria: [ada] },
}
const none = new Map()

describe('stored filter', () => {
  it('is saved with its name, or without one', () => {
    given(refineFilterAggregate)
      .when(save({ name: ' Adas ', criteria: proposed(ada) }), none)
      .then(saved)
    given(refineFilterAggregate)
      .when(save({ name: ' ', criteria: proposed(ada) }), none)
      .then({ ...saved, data: { ...saved.data, name: null } })
  })

  it('needs a condition', () => {
    for (const criteria of [proposed(), undefined]) {
      given(refineFilterAggregate)
        .when(save(criteria ? { criteria } : {}), none)
        .refuses('invalid', 'criteria must contain at least one entry')
    }
    given(refineFilterAggregate)
      .when(save({ criteria: null }), none)
      .refuses('invalid', /^criteria must be an array of objects/)
    given(refineFilterAggregate, saved)
      .when(change({ criteria: proposed() }), none)
      .refuses('invalid', 'criteria must contain at least one entry')
  })

  it('says all that is wrong at once, and where conditions are described', () => {
    given(refineFilterAggregate)
      .when(
        save({ filterClass: 'OrdersFilter', conjunction: 'or', criteria: proposed({ attribute: 'x', clause: 'eq' }) }),
        none,
      )
      .refuses(
        'invalid',
        "filter_class must be 'ContactsFilter' (only supported class in v1); conjunction 'or' is not supported by the public API; criteria[0].attribute 'x' is not a known attribute. See /api/v2/reference for the conditions that the public API supports",
      )
  })

  it('joins by or only where a description was translated', () => {
    given(refineFilterAggregate)
      .when(save({ name: 'Adas', conjunction: 'or', criteria: proposed(ada) }, 'all'), none)
      .then({ ...saved, data: { ...saved.data, conjunction: 'or' } })
  })

  it('changes what is sent, and replaces all conditions', () => {
    given(refineFilterAggregate, saved)
      .when(change({ name: 'Bobs', criteria: proposed(bob) }), none)
      .then(
        { type: 'FilterRenamed', data: { name: 'Bobs' } },
        { type: 'FilterCriteriaReplaced', data: { criteria: [bob] } },
      )
    given(refineFilterAggregate, saved)
      .when(change({ name: 'Adas', criteria: proposed(ada) }), none)
      .thenNothing()
  })

  it('is removed once', () => {
    const removed: RefineFilterEvent = { type: 'FilterRemoved', data: {} }
    given(refineFilterAggregate, saved)
      .when({ type: 'RemoveFilter', ...basics }, none)
      .then(removed)
    given(refineFilterAggregate, saved, removed)
      .when({ type: 'RemoveFilter', ...basics }, none)
      .refuses('notFound', /missing/)
  })
})
