import { expect } from 'chai'
import type { Change, Document, ReadModels } from '../../../domain/kernel/ports/read-models.ts'
import { naiveFind } from './naive.ts'

const FEW = 40
/** In every 8th round this many more documents change, so that the batch is written while it is still growing. */
const BULK = { every: 8, documents: 1000 }
const ROUND = 10_000

function documentIn(round: number, id: number, bytes: number): Document | null {
  if ((id + round) % 7 === 0) return null
  const fields = { workspace: 1, score: round, kind: `k${(id + round) % 5}`, tags: [round % 3, id % 4] }
  return { id, ...fields, text: 'x'.repeat(bytes), [`shape_${round % 60}`]: { [`inner_${id % 45}`]: round } }
}

/** Changes of a round: the same documents each time, sometimes many, always with new shapes. */
export function changesIn(round: number, bytes: number): { readonly changes: Change[]; readonly checkpoint: number } {
  const count = round % BULK.every === 0 ? FEW + BULK.documents : FEW
  const changes = Array.from({ length: count }, (_, id): Change => {
    return { collection: 'contacts', id, document: documentIn(round, id, bytes), position: round * ROUND + id }
  })
  return { changes, checkpoint: round * ROUND + ROUND - 1 }
}

/** The round that the read models have reached. Fails unless they contain all of it, and nothing of the next. */
export async function checkRounds(models: ReadModels, bytes: number): Promise<number> {
  const round = Math.floor((await models.checkpoint()) / ROUND)
  const bulk = round - (round % BULK.every)
  const expected = [
    ...Array.from({ length: FEW }, (_, id) => documentIn(round, id, bytes)),
    ...Array.from({ length: bulk > 0 ? BULK.documents : 0 }, (_, n) => documentIn(bulk, FEW + n, bytes)),
  ].filter((document) => document !== null)
  expect(await models.find('contacts', { where: {} })).to.deep.equal(expected)
  for (const where of [
    { workspace: 1 },
    ...[0, 1, 2, 3, 4].map((n) => ({ workspace: 1, kind: `k${n}` })),
    ...[0, 1, 2, 3].map((tags) => ({ workspace: 1, tags })),
  ]) {
    expect(await models.find('contacts', { where })).to.deep.equal(naiveFind(expected, { where }))
  }
  const byScore = { where: { workspace: 1 }, sort: { by: 'score' } }
  expect(await models.find('contacts', byScore)).to.deep.equal(naiveFind(expected, byScore))
  return round
}
