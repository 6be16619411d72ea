import { expect } from 'chai'
import { findInTurns } from '../../domain/kernel/ports/get-in-turns.ts'
import type { Document, Query, ReadModels, WatchedReadModels } from '../../domain/kernel/ports/read-models.ts'

describe('finding documents in turns', () => {
  const ids = Array.from({ length: 20 }, (_, index) => index + 1)
  const batches: number[] = []
  const live = {
    find: () => [{ id: 99 } as Document],
    getMany: (_: string, wanted: readonly number[]) => {
      batches.push(wanted.length)
      return wanted.map((id) => (id === 3 ? undefined : ({ id } as Document)))
    },
  } as unknown as ReadModels
  const watched = { findIds: () => ids } as unknown as WatchedReadModels

  it('the first is read alone, and what was removed meanwhile is left out', async () => {
    const found = await findInTurns({ everywhere: live, watched }, 'page', { where: {} })
    expect(found.map(({ id }) => id)).to.deep.equal(ids.filter((id) => id !== 3))
    expect(batches[0]).to.equal(1)
    expect(batches.reduce((sum, size) => sum + size, 0)).to.equal(20)
  })

  it('those that were removed meanwhile take no room within the limit', async () => {
    const asked: Query[] = []
    const findIds = (_: string, query: Query) => {
      asked.push(query)
      return query.after === undefined ? [1, 2, 3] : [4, 5].slice(0, query.limit)
    }
    const short = { findIds } as unknown as WatchedReadModels
    const found = await findInTurns({ everywhere: live, watched: short }, 'page', { where: {}, limit: 3 })
    expect(found.map(({ id }) => id)).to.deep.equal([1, 2, 4])
    expect(asked.map(({ after, limit }) => [after, limit])).to.deep.equal([
      [undefined, 3],
      [2, 1],
    ])
  })

  it('they are found together where a server reads them', async () => {
    expect(await findInTurns({ everywhere: live }, 'page', { where: {} })).to.deep.equal([{ id: 99 }])
  })
})
