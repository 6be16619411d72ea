import { proposedFrom } from '../../../domain/filters/criteria/criterion.ts'
import { type Proposal, refineFilters } from '../../../domain/filters/refine-filter/rules.ts'
import { ask, given } from '../../support/decider.ts'

const proposed = (...entries: readonly unknown[]) => proposedFrom(entries, () => undefined) ?? null
const ada = { attribute: 'first_name', clause: 'eq', value: 'Ada' }
const bob = { ...ada, value: 'Bob' }
type Wish = Omit<Proposal, 'rules'> & { readonly name?: string }
const save = ({ name, ...wish }: Wish, rules: 'open' | 'all' = 'open') =>
  ask('create', { name, proposal: { ...wish, rules } })
const change = ({ name, ...proposal }: Wish) => ask('change', { name, proposal })
const saved = {
  type: 'FilterSaved',
  data: { name: 'Adas', filter_class: 'ContactsFilter', conjunction: 'and', criteria: [ada], one_off: false },
}
const none = new Map()

describe('stored filter', () => {
  it('is saved with its name, or without one', () => {
    given(refineFilters)
      .when(save({ name: ' Adas ', criteria: proposed(ada) }), none)
      .then(saved)
    given(refineFilters)
      .when(save({ name: ' ', criteria: proposed(ada) }), none)
      .then({ ...saved, data: { ...saved.data, name: null } })
  })

  it('needs a condition', () => {
    for (const criteria of [proposed(), undefined]) {
      given(refineFilters)
        .when(save(criteria ? { criteria } : {}), none)
        .refuses('invalid', 'criteria must contain at least one entry')
    }
    given(refineFilters)
      .when(save({ criteria: null }), none)
      .refuses('invalid', /^criteria must be an array of objects/)
    given(refineFilters, saved)
      .when(change({ criteria: proposed() }), none)
      .refuses('invalid', 'criteria must contain at least one entry')
  })

  it('names all faults at once, and where conditions are documented', () => {
    given(refineFilters)
      .when(
        save({ filter_class: 'OrdersFilter', conjunction: 'or', criteria: proposed({ attribute: 'x', clause: 'eq' }) }),
        none,
      )
      .refuses(
        'invalid',
        "filter_class must be 'ContactsFilter' (only supported class in v1); conjunction 'or' is not supported by the public API; criteria[0].attribute 'x' is not a known attribute. See /api/v2/reference for the conditions that the public API supports",
      )
  })

  it('joins by or only where a description was translated', () => {
    given(refineFilters)
      .when(save({ name: 'Adas', conjunction: 'or', criteria: proposed(ada) }, 'all'), none)
      .then({ ...saved, data: { ...saved.data, conjunction: 'or' } })
  })

  it('changes what is sent, and replaces all conditions', () => {
    given(refineFilters, saved)
      .when(change({ name: 'Bobs', criteria: proposed(bob) }), none)
      .then(
        { type: 'FilterRenamed', data: { name: 'Bobs' } },
        { type: 'FilterCriteriaReplaced', data: { criteria: [bob] } },
      )
    given(refineFilters, saved)
      .when(change({ name: 'Adas', criteria: proposed(ada) }), none)
      .thenNothing()
  })

  it('is removed once', () => {
    const removed = { type: 'FilterRemoved', data: {} }
    given(refineFilters, saved).when(ask('remove'), none).then(removed)
    given(refineFilters, saved, removed)
      .when(ask('remove'), none)
      .refuses('notFound', /missing/)
  })
})
