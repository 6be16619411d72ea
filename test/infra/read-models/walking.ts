import { expect } from 'chai'
import fc from 'fast-check'
import type { Document, ReadModels } from '../../../domain/kernel/ports/read-models.ts'
import type { Resource } from '../../../domain/resources/resource.ts'
import type { History } from '../../../projections/history.ts'
import { createWalks, type OrderedQuery, type Stretch, type WalkStart } from '../../../projections/walks.ts'
import { byForm } from '../../reliability/form.ts'
import { inWorkspace } from './setting.ts'

const RESOURCE = { name: 'contacts' } as Resource
const BEGIN = Date.parse('2026-03-01T09:00:00.000Z')
const PAGE = 3

type Step = {
  readonly do: 'create' | 'remove' | 'touch' | 'move'
  readonly which: number
  readonly score: number | null
}

/** A list that changes, every version of which is known. */
class ChangingList {
  readonly #models: ReadModels
  readonly #versions = new Map<number, { readonly position: number; readonly document: Document | null }[]>()
  #position = 0
  now = BEGIN

  constructor(models: ReadModels) {
    this.#models = models
  }

  readonly history: Pick<History, 'before'> = {
    before: async (_, { id }, position) =>
      this.#versions.get(Number(id))?.findLast((version) => version.position <= position)?.document ?? undefined,
  }

  present(): readonly Document[] {
    return [...this.#versions.values()].flatMap((versions) => versions.at(-1)?.document ?? [])
  }

  async carryOut({ do: what, which, score }: Step): Promise<void> {
    const present = this.present()
    if (what === 'create' || present.length === 0) return this.#put(this.#versions.size + 1, { score })
    const { id, score: before = null } = present[which % present.length]!
    await this.#put(Number(id), what === 'remove' ? null : { score: what === 'move' ? score : before })
  }

  async #put(id: number, fields: Pick<Document, 'score'> | null): Promise<void> {
    // Half of the changes share the time of the one before.
    this.now += this.#position % 2
    const position = ++this.#position
    const document = fields && { id, workspace: 1, updated_at: new Date(this.now).toISOString(), ...fields }
    this.#versions.set(id, [...(this.#versions.get(id) ?? []), { position, document }])
    await this.#models.apply([{ collection: 'contacts', id, document, position }], position)
  }
}

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('create', 'remove', 'touch', 'move', 'move'),
  which: fc.nat(50),
  score: fc.option(fc.integer({ min: 0, max: 5 })),
})

const ORDERS = ['score', 'updated_at'].flatMap((by) => [false, true].map((descending) => ({ by, descending })))

/** Tests of walks through lists that change between the pages. */
export function walking(open: () => Promise<ReadModels>): void {
  const walksOver = (models: ReadModels, { history }: ChangingList, mostMoved?: number) =>
    createWalks({ live: models, history, ...(mostMoved !== undefined && { mostMoved }) })

  const listOf = async (models: ReadModels, many: number): Promise<ChangingList> => {
    const list = new ChangingList(models)
    for (let n = 0; n < many; n++) await list.carryOut({ do: 'create', which: 0, score: (n * 7) % 5 })
    list.now += 60_000
    return list
  }

  for (const sort of ORDERS) {
    const name = `by ${sort.by}${sort.descending ? ', descending' : ''}`

    it(`meets each record that is there all the time once, in the order of the beginning, ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 8 }), async (rounds) => {
          const models = await open()
          await checkWalk(models, await listOf(models, 12), rounds)
        }),
        { numRuns: byForm(4, 60) },
      )
    }).timeout(60_000)

    const checkWalk = async (models: ReadModels, list: ChangingList, rounds: readonly (readonly Step[])[]) => {
      const walks = walksOver(models, list)
      const query: OrderedQuery = { where: inWorkspace, sort, limit: PAGE }
      const expected = (await models.find('contacts', { where: inWorkspace, sort })).map(({ id }) => id)
      const always = new Set(expected)
      const met: unknown[] = []
      let [start, after]: [WalkStart | undefined, OrderedQuery['after']] = [await walks.start(list.now), undefined]
      for (let page = 0; ; page++) {
        const { found }: Stretch = await walks.next(
          RESOURCE,
          { ...query, ...(after && { after }) },
          page === 0 ? undefined : start,
        )
        met.push(...found.map(({ document }) => document.id))
        if (found.length < PAGE) break
        after = found.at(-1)!.place
        for (const one of rounds[page] ?? []) await list.carryOut(one)
        const present = new Set(list.present().map(({ id }) => id))
        for (const id of always) if (!present.has(id)) always.delete(id)
      }
      expect(new Set(met).size, 'none is met twice').to.equal(met.length)
      expect(met.filter((id) => always.has(id as number))).to.deep.equal(expected.filter((id) => always.has(id)))
    }
  }

  it('goes on in the present order when more has changed than it looks up', async () => {
    const models = await open()
    const list = await listOf(models, 12)
    const walks = walksOver(models, list, 4)
    const start = await walks.start(list.now)
    const query: OrderedQuery = { where: inWorkspace, sort: { by: 'updated_at', descending: false }, limit: PAGE }
    const first = await walks.next(RESOURCE, query, undefined)
    const continued = { ...query, after: first.found.at(-1)!.place }
    for (let which = 0; which < 4; which++) await list.carryOut({ do: 'touch', which, score: 0 })
    expect((await walks.next(RESOURCE, continued, start)).start).to.equal(start)
    await list.carryOut({ do: 'touch', which: 4, score: 0 })
    const stretch = await walks.next(RESOURCE, continued, start)
    expect(stretch.start).to.equal(undefined)
    expect(stretch.found.map(({ document }) => document.id)).to.deep.equal([6, 7, 8])
  })
}
