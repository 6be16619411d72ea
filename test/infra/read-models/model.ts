import { expect } from 'chai'
import fc from 'fast-check'
import type { Change, Document, Query, Where } from '../../../domain/kernel/ports/read-models.ts'
import { byForm } from '../../reliability/form.ts'
import { naiveFind } from './naive.ts'
import { builtFrom, type Setting, walk } from './setting.ts'

const scalar = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 1, 2, 2.5, 1e9, '', 'a', 'b', 'ab', 'é', 'a\u0000'),
  fc.integer({ min: -3, max: 3 }),
  fc.string({ maxLength: 3 }),
)
const comparable = scalar.filter((value) => value !== null)
const element = fc.constantFrom(1, 2, 3, 'x', null)
const integer = fc.integer({ min: 1, max: 9 })
const anyId = fc.oneof(integer, fc.constantFrom('a', 'b', 'c'))

const fields = fc.record(
  {
    workspace: fc.constantFrom(1, 2),
    kind: fc.oneof(fc.constantFrom('a', 'b', null), scalar),
    score: scalar,
    name: fc.constantFrom('n', 'm', 'o'),
    tags: fc.oneof(fc.array(element, { maxLength: 3 }), element),
    extra: fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })),
  },
  { requiredKeys: ['workspace'] },
)
const stepOf = (id: fc.Arbitrary<number | string>) =>
  fc.array(fc.tuple(id, fc.option(fields, { freq: 4 })), { minLength: 1, maxLength: 8 })

const operators = fc.oneof(
  fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ $nin: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ $ne: scalar }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $gt: comparable, $lte: comparable }, { requiredKeys: ['$gt'] }),
  fc.record({ $gte: comparable, $lt: comparable }, { requiredKeys: ['$gte'] }),
  fc.record({ $lte: comparable }),
)
const pick = <T>(one: fc.Arbitrary<T>) => fc.oneof(one, fc.record({ $in: fc.array(one, { maxLength: 3 }) }))
const residual = fc.record({ extra: fc.oneof(scalar, operators), name: operators }, { requiredKeys: [] })
const workspace = fc.record({ workspace: pick(fc.constantFrom(1, 2)) })
const direction = (by: string) => fc.record({ by: fc.constant(by), descending: fc.boolean() })

const byId = fc.option(direction('id'), { nil: undefined })
const joined = (...parts: readonly fc.Arbitrary<Where>[]) =>
  fc.tuple(...parts).map((all): Where => Object.assign({}, ...all))
const asked = (where: fc.Arbitrary<Where>, sort: fc.Arbitrary<Query['sort']>) =>
  fc.tuple(where, sort).map(([where, sort]): Query => ({ where, ...(sort && { sort }) }))

const ofKind = joined(workspace, fc.record({ kind: pick(scalar) }), residual)
const tagged = joined(workspace, fc.record({ tags: pick(element) }), residual)
const scored = fc.record({ score: fc.oneof(scalar, operators) }, { requiredKeys: [] })
const among = joined(fc.record({ id: fc.record({ $in: fc.array(anyId) }) }), scored, residual)
const query = fc.oneof(
  asked(among, fc.oneof(byId, direction('name'))),
  asked(fc.record({ id: operators }, { requiredKeys: [] }), byId),
  asked(joined(workspace, fc.record({ id: operators }, { requiredKeys: [] }), residual), byId),
  asked(ofKind, fc.oneof(byId, direction('name'))),
  asked(tagged, fc.oneof(byId, direction('score'))),
  asked(joined(workspace, scored, residual), direction('score')),
)

/** Compares the store with a filtered and sorted list, over random documents, changes and queries. */
export function modelled(setting: Setting, runs = byForm(8, 60), ids: 'any' | 'integer' = 'any'): void {
  it('answers as a filtered and sorted list would', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(stepOf(ids === 'any' ? anyId : integer), { maxLength: 5 }),
        fc.nat(5),
        fc.array(query, { minLength: 10, maxLength: 20 }),
        async (steps, builtSteps, queries) => {
          const { store } = setting()
          const expected = new Map<number | string, Document>()
          const building = await store.rebuild(builtFrom('model'))
          let position = 0
          const change = ([id, fields]: [number | string, object | null]): Change => {
            const document = fields && ({ ...fields, id } as Document)
            if (document) expected.set(id, document)
            else expected.delete(id)
            return { collection: 'contacts', id, document, position: position++ }
          }
          for (const each of steps.slice(0, builtSteps)) await building.apply(each.map(change), position - 1)
          await building.takeOver()
          for (const each of steps.slice(builtSteps)) await store.live.apply(each.map(change), position - 1)
          for (const each of queries) {
            const found = naiveFind(expected.values(), each)
            expect(await store.live.find('contacts', each), JSON.stringify(each)).to.deep.equal(found)
            expect(await store.live.count('contacts', each.where), JSON.stringify(each)).to.equal(found.length)
            expect(await store.live.count('contacts', each.where, 2)).to.equal(Math.min(2, found.length))
            expect(await walk(store.live, each, 2), JSON.stringify(each)).to.deep.equal(
              found.map((document) => document.id),
            )
          }
        },
      ),
      { numRuns: runs },
    )
  }).timeout(60_000)
}
