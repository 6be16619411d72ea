import { expect } from 'chai'
import fc from 'fast-check'
import type { Criterion } from '../../../domain/filters/criteria/criterion.ts'
import { selectionFor } from '../../../domain/filters/criteria/evaluate.ts'
import type { Document, Query } from '../../../domain/kernel/ports/read-models.ts'
import { completed, findSelected } from '../../../domain/resources/selected.ts'
import { MemoryReadModels } from '../../support/memory/read-models.ts'

const AT = '2026-03-01T10:00:00.000Z'
const PAGE = 7
const evaluation = { at: AT, token: (purpose: string, value: string) => `${purpose} ${value}` }

/** What is known of contacts, by the field that conditions compare: pairs of contact and option. */
type Facts = Readonly<Record<string, readonly (readonly [contact: number, option: number])[]>>

const RELATED: Readonly<Record<string, readonly [collection: string, by: string]>> = {
  received_broadcast: ['emails/delivery', 'received_in'],
  opened_broadcast: ['emails/delivery', 'opened_in'],
  clicked_broadcast: ['emails/delivery', 'clicked_in'],
  in_workflow: ['workflows/run', 'active_in'],
  completed_workflow: ['workflows/run', 'completed_in'],
  submitted_form: ['forms/submission', 'form_id'],
}
const NAMES = Object.keys(RELATED)

const contactOf = (id: number) => ({
  ...{ id, workspace_id: 1, listed: id % 5 !== 0, deleted_at: null, redacted_email: null },
  tag_ids: id % 3 === 0 ? [9] : [],
})

const storeOf = async (contacts: number, facts: Facts) => {
  const store = new MemoryReadModels()
  let position = 0
  const put = (collection: string, document: Document) => ({
    collection,
    id: document.id,
    document,
    position: ++position,
  })
  const people = Array.from({ length: contacts }, (_, n) => put('contact', contactOf(n + 1)))
  const others = Object.entries(facts).flatMap(([name, pairs]) => {
    const [collection, by] = RELATED[name]!
    return pairs.map(([contact_id, option], n) =>
      put(collection, { id: NAMES.indexOf(name) * 100_000 + n + 1, contact_id, [by]: option }),
    )
  })
  await store.apply([...people, ...others], position)
  return store
}

/** Whether a contact meets a condition, by all that is known. */
const meets = (facts: Facts, id: number, { attribute, clause, ids = [] }: Criterion): boolean => {
  const isNegated = clause === 'dne' || clause === 'nin'
  const options =
    attribute === 'tags.id'
      ? contactOf(id).tag_ids
      : (facts[attribute] ?? []).filter(([contact]) => contact === id).map(([, option]) => option)
  return options.some((one) => ids.includes(one)) !== isNegated
}

const pair = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 4 }))
const someFacts: fc.Arbitrary<Facts> = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, fc.array(pair, { maxLength: 60 })])),
)
const someIds = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 })
const someCriterion = fc
  .tuple(fc.constantFrom(...NAMES, 'tags.id'), fc.constantFrom('eq', 'in', 'dne', 'nin'), someIds)
  .map(([attribute, clause, ids]): Criterion => {
    const options = attribute === 'tags.id' ? [9] : ids
    return { attribute, clause, ids: options, value: options.map(String) }
  })

/** Reads all matches, a page after the other, as lists and jobs do. */
const matchesIn = async (store: MemoryReadModels, selection: ReturnType<typeof selectionFor>) => {
  const found: number[] = []
  for (let after = 0; ; ) {
    const query: Query = { where: { workspace_id: 1, listed: true, ...selection.where }, after, limit: PAGE }
    const page = await findSelected(store, 'contact', query, selection)
    const whole = await completed(page, selection, store)
    found.push(...whole.filter((one) => selection.test?.(one)).map(({ id }) => Number(id)))
    if (page.length < PAGE) return found
    after = Number(page.at(-1)!.id)
  }
}

describe('Conditions that other records decide', () => {
  it('equal a look at everything that is known of every contact', async () => {
    await fc.assert(
      fc.asyncProperty(
        someFacts,
        fc.array(someCriterion, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('and' as const, 'or' as const),
        async (facts, criteria, conjunction) => {
          const store = await storeOf(60, facts)
          const selection = selectionFor({ conjunction, criteria }, evaluation)
          const expected = Array.from({ length: 60 }, (_, n) => n + 1).filter((id) => {
            const met = criteria.map((criterion) => meets(facts, id, criterion))
            return contactOf(id).listed && (conjunction === 'and' ? met.every(Boolean) : met.some(Boolean))
          })
          expect(await matchesIn(store, selection)).to.deep.equal(expected)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('are led to by the records that decide them, in the order of contacts, and never by many at once', async () => {
    const everybody = Array.from({ length: 3000 }, (_, n): [number, number] => [n + 1, 1])
    const store = await storeOf(3000, {
      received_broadcast: everybody,
      clicked_broadcast: [
        [2, 1],
        [2999, 1],
      ],
    })
    const sizes: number[] = []
    const counted = {
      get: store.get.bind(store),
      getMany: store.getMany.bind(store),
      find: (collection: string, query: Query) => {
        const found = store.find(collection, query)
        sizes.push(found.length)
        return found
      },
    }
    const clicked = { attribute: 'clicked_broadcast', clause: 'eq', ids: [1], value: ['1'] }
    const selection = selectionFor({ conjunction: 'and', criteria: [clicked] }, evaluation)
    const query = { where: { workspace_id: 1, listed: true }, limit: 20 }
    const found = await findSelected(counted, 'contact', query, selection)
    expect(found.map(({ id }) => id)).to.deep.equal([2, 2999])
    expect(sizes).to.deep.equal([2, 2])
    sizes.length = 0
    const received = { ...clicked, attribute: 'received_broadcast' }
    const whole = selectionFor({ conjunction: 'and', criteria: [received] }, evaluation)
    const page = await completed(await findSelected(counted, 'contact', query, whole), whole, counted)
    expect(page).to.have.length(20)
    expect(Math.max(...sizes)).to.be.at.most(200)
  })
})
