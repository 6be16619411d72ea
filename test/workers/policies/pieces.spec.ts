import { expect } from 'chai'
import type { Ask } from '../../../domain/kernel/decide/ask.ts'
import type { Document, Query, ReadModels } from '../../../domain/kernel/ports/read-models.ts'
import type { Json, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { performPieces } from '../../../workers/policies/pieces.ts'
import { OpenVault } from '../../support/projection.ts'

const CAUSE = { by: 'digests-are-mailed', event: { id: 'e1' } as RecordedEvent }

/** Members of a community, from whom pieces are made over several lives of a process. */
class Members {
  ids: number[]
  kept: Json = null
  /** Pieces that were begun, by the name of their command: a name that was used before begins nothing. */
  readonly begun = new Map<string, readonly number[]>()

  constructor(count: number) {
    this.ids = Array.from({ length: count }, (_, n) => (n + 1) * 10)
  }

  /** Runs until the end, or is killed where it says. */
  async live({ killedBefore = -1, killedAfter = -1, stopAfter = -1 } = {}): Promise<unknown> {
    const live = {
      find: (_collection: string, { after = 0, limit = 0 }: Query): Document[] =>
        this.ids
          .filter((id) => id > Number(after))
          .slice(0, limit)
          .map((id) => ({ id })),
    } as unknown as ReadModels
    let saves = 0
    const turn = {
      stopping: () => stopAfter >= 0 && this.begun.size >= stopAfter,
      cursor: () => this.kept,
      saveCursor: async (value: Json) => {
        if (saves++ === killedBefore) throw new Error('killed')
        this.kept = value
      },
    }
    const perform = async (_cause: unknown, asked: Ask, index: number | string) => {
      if (this.begun.size === killedAfter) throw new Error('killed')
      const ids = (asked as unknown as { readonly ids: readonly number[] }).ids
      if (!this.begun.has(String(index))) this.begun.set(String(index), ids)
      return undefined
    }
    const batch = {
      inPieces: 'communities/membership',
      where: {},
      piece: (documents: readonly Document[]) => ({ ids: documents.map(({ id }) => Number(id)) }) as unknown as Ask,
    }
    const deps = { readers: { live, vault: new OpenVault() }, perform }
    return performPieces(deps, CAUSE, batch, { index: 0, turn }).catch((error: Error) => error.message)
  }

  get everybody(): readonly number[] {
    return [...this.begun.values()].flat()
  }
}

describe('pieces of an unbounded set', () => {
  it('15 64: hold 200 each, and everybody once', async () => {
    const members = new Members(1000)
    expect(await members.live()).to.deep.equal([])
    expect([...members.begun.values()].map((ids) => ids.length)).to.deep.equal([200, 200, 200, 200, 200])
    expect(members.everybody).to.deep.equal(members.ids)
    expect(await new Members(0).live()).to.deep.equal([])
  })

  it('15 62: hold everybody once however often the process is killed, though members come meanwhile with lower ids', async () => {
    for (let kill = 0; kill < 8; kill++) {
      const members = new Members(650)
      expect(await members.live({ killedBefore: kill })).to.equal('killed')
      const before = members.everybody
      members.ids = [...members.ids, 15, 1995, 4005, 9999].sort((a, b) => a - b)
      await members.live()
      const all = members.everybody
      expect(all.length, `killed before ${kill}`).to.equal(new Set(all).size)
      expect(all).to.include.members(before as number[])
      expect(all).to.include(9999)
    }
  })

  it('15 62: goes on where it was when the process stopped or failed', async () => {
    const members = new Members(650)
    expect(await members.live({ stopAfter: 1 })).to.equal('stopped')
    expect(await members.live({ killedAfter: 2 })).to.equal('killed')
    expect(await members.live()).to.deep.equal([])
    expect(members.everybody).to.deep.equal(members.ids)
  })
})
