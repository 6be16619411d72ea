import { expect } from 'chai'
import type { Document, Query, ReadModels, Where } from '../../../domain/kernel/ports/read-models.ts'
import { countTargets, targetsAfter } from '../../../workers/reactor/targets.ts'
import { OpenVault } from '../../support/projection.ts'

/** Contacts by ascending id, page by page; the conditions are ignored. */
const contactsUpTo = (most: number) => {
  const looks: number[] = []
  const live = {
    find: (_collection: string, { after = 0, limit = 0 }: Query): Document[] => {
      looks.push(limit)
      const first = Number(after) + 1
      return Array.from({ length: Math.max(0, Math.min(limit, most - first + 1)) }, (_, index) => ({
        id: first + index,
      }))
    },
    count: () => most,
  } as unknown as ReadModels
  return { readers: { live, vault: new OpenVault() }, looks }
}
const where: Where = { workspace_id: 7 }
const odd = (document: Document) => Number(document.id) % 2 === 1
const going = () => false

const pageAfter = async (...given: Parameters<typeof targetsAfter>) => {
  const { documents, next } = await targetsAfter(...given)
  return { ids: documents.map(({ id }) => Number(id)), next }
}

describe('audience of a job', () => {
  it('is read in the order of ids, page by page, each contact once', async () => {
    const { readers } = contactsUpTo(250)
    const seen: number[] = []
    let after = 0
    do {
      const { ids, next } = await pageAfter(readers, 'contact', { where, test: odd }, after)
      seen.push(...ids)
      after = next
    } while (after > 0)
    expect(seen).to.deep.equal(Array.from({ length: 125 }, (_, index) => 2 * index + 1))
  })

  it('continues after a page without matches', async () => {
    const { readers } = contactsUpTo(250)
    const last = (document: Document) => document.id === 250
    expect(await pageAfter(readers, 'contact', { where, test: last }, 0)).to.deep.equal({ ids: [], next: 200 })
    expect(await pageAfter(readers, 'contact', { where, test: last }, 200)).to.deep.equal({ ids: [250], next: 0 })
  })

  it('15 96: of one moment has nobody who began later, also after a page of such', async () => {
    const days = Array.from({ length: 250 }, (_, n) => ({
      id: n + 1,
      created_at: `2026-01-0${n < 2 || n > 240 ? 1 : 2}`,
    }))
    const live = {
      find: (_collection: string, { after = 0, limit = 0 }: Query) => days.slice(Number(after), Number(after) + limit),
    } as unknown as ReadModels
    const readers = { live, vault: new OpenVault() }
    const first = await pageAfter(readers, 'contact', { where, until: '2026-01-01' }, 0)
    expect(first).to.deep.equal({ ids: [1, 2], next: 200 })
    const last = await pageAfter(readers, 'contact', { where, until: '2026-01-01', test: odd }, 200)
    expect(last).to.deep.equal({ ids: [243, 245, 247, 249], next: 0 })
  })

  it('is counted by the store if the conditions suffice, and page by page otherwise', async () => {
    const { readers, looks } = contactsUpTo(250)
    expect(await countTargets(readers, 'contact', { where }, going)).to.equal(250)
    expect(looks).to.deep.equal([])
    expect(await countTargets(readers, 'contact', { where, test: odd }, going)).to.equal(125)
    expect(looks).to.deep.equal([200, 200])
  })

  it('is not counted to the end when the process stops', async () => {
    const { readers, looks } = contactsUpTo(250)
    const stopping = () => looks.length === 1
    expect(await countTargets(readers, 'contact', { where, test: odd }, stopping)).to.equal(undefined)
  })
})
