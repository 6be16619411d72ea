import { expect } from 'chai'
import { beside, boundTo } from '../../domain/kernel/decide/bound-reader.ts'
import type { Document, Query } from '../../domain/kernel/ports/read-models.ts'

const DOCUMENTS: readonly Document[] = [
  ...Array.from({ length: 300 }, (_, n): Document => ({ id: n + 1, team_id: 2, workspace_id: 20 })),
  { id: 301, team_id: 1, workspace_id: 10 },
  { id: 302, team_id: 1, workspace_id: 11 },
  { id: 303, team_id: 1 },
  { id: 304 },
]

const all = {
  get: (_: string, id: number | string) => DOCUMENTS.find((one) => one.id === id),
  getMany: (_: string, ids: readonly (number | string)[]) => ids.map((id) => all.get(_, id)),
  find: (_: string, { after = 0, limit = 1000 }: Query) =>
    DOCUMENTS.filter(({ id }) => Number(id) > Number(after)).slice(0, limit),
}

const idsOf = (found: readonly (Document | undefined)[]) => found.map((one) => one?.id)

describe('a reader that is bound to a place', () => {
  const read = boundTo(all, { teamId: 1, workspaceId: 10 })

  it('has the records of its workspace, and those of no workspace or team', () => {
    const found = read.getMany('x', [1, 301, 302, 303, 304]) as readonly (Document | undefined)[]
    expect(idsOf(found)).to.deep.equal([undefined, 301, undefined, 303, 304])
    expect(read.get('x', 302)).to.equal(undefined)
    expect(read.everywhere.get('x', 302)).to.include({ workspace_id: 11 })
  })

  it('of a team has the records of all its workspaces', async () => {
    const found = await boundTo(all, { teamId: 1 }).find('x', { where: {} })
    expect(idsOf(found)).to.deep.equal([301, 302, 303, 304])
  })

  it('of nothing has what is of no team', async () => {
    expect(idsOf(await boundTo(all, {}).find('x', { where: {} }))).to.deep.equal([304])
  })

  it('finds as many as were asked for, however many of other places come before', async () => {
    expect(idsOf(await read.find('x', { where: {}, limit: 2 }))).to.deep.equal([301, 303])
    expect(idsOf(await read.find('x', { where: {}, limit: 50 }))).to.deep.equal([301, 303, 304])
  })

  it('is made for the place of a record or an event', async () => {
    const found = await beside(all, { team_id: 1, workspace_id: 11 }).find('x', { where: {} })
    expect(idsOf(found)).to.deep.equal([302, 303, 304])
  })
})
