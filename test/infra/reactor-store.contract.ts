import { expect } from 'chai'
import type { Books, DeadLetter, Entry, LettersAsked, Owed, Refused } from '../../domain/kernel/ports/reactor-store.ts'
import { collect } from './event-log/setting.ts'

/** Books under test. */
export interface OpenBooks {
  readonly books: Books
  /** Closes them and opens them again, as a restarted process would. */
  reopen(): Promise<Books>
  cleanup(): Promise<void>
}

const MANY = 10_000
const KEPT = 1000

export const owed = (lane: string, position: number, other: Partial<Owed> = {}): Owed => ({
  lane,
  position,
  reaction: lane.split('/')[0]!,
  gate: 'endpoint-1',
  workspace_id: 244_305_141_452_800,
  attempts: 2,
  due: 1_790_000_000_123,
  error: 'Ünïcödé 🎉',
  ...other,
})

export const dead = (lane: string, position: number, other: Partial<DeadLetter> = {}): DeadLetter => {
  const { due, error, ...letter } = owed(lane, position)
  return { ...letter, at: '2026-02-03T04:05:06.789Z', error: 'gone', ...other }
}

export const refused = (position: number, workspace_id: number | null): Refused => {
  return { reaction: 'mails', position, workspace_id, at: '2026-02-03T04:05:06.789Z', reason: `no ${position}` }
}

const places = (rows: readonly Pick<Owed, 'lane' | 'position'>[]) =>
  rows.map(({ lane, position }) => [lane, position] as const)

/** What all books promise. @param open called before each test */
export function booksContract(name: string, open: () => Promise<OpenBooks>): void {
  describe(`${name} as the reactor's books`, function () {
    this.timeout(120_000)
    let current: OpenBooks
    let books: Books
    beforeEach(async () => {
      current = await open()
      books = current.books
    })
    afterEach(() => current.cleanup())

    const everything = async (from: Books) => ({
      checkpoint: await from.checkpoint(),
      reactions: [...(await from.reactions())].sort(),
      behind: await from.behind(),
      owed: await collect(from.owed()),
      cursors: await collect(from.cursors()),
      dead: await from.dead({ limit: 100 }),
      refused: [await from.refused(7, 100), await from.refused(null, 100)],
    })

    const nothing = {
      checkpoint: undefined,
      reactions: [],
      behind: [],
      owed: [],
      cursors: [],
      dead: [],
      refused: [[], []],
    }

    it('hold nothing at first, and nothing after nothing was written', async () => {
      expect(await everything(books)).to.deep.equal(nothing)
      await books.write([])
      expect(await everything(books)).to.deep.equal(nothing)
      expect(await books.counts()).to.deep.equal({ owed: new Map(), dead: new Map() })
      expect(await books.cursor('job 1')).to.equal(null)
      expect(await books.owedIn('mails/1', 5)).to.deep.equal([])
    })

    it('give back what was written, also to the next process', async () => {
      const bare = owed('mails/2', 0, { workspace_id: null, due: null, error: null, attempts: 0 })
      const value = { after: 5, '$odd.key': [null, 1.5, 'é'] }
      const letter = dead('mails/1', 8, { workspace_id: null })
      const entries: Entry[] = [
        { owed: owed('mails/1', 2 ** 40) },
        { owed: bare },
        { dead: letter },
        { refused: refused(3, 7) },
        { refused: refused(4, null) },
        { cursor: 'job 1', value },
        { cursor: 'job 2', value: 0 },
        { reaction: 'mails', since: -1 },
        { behind: 'mails:1', reaction: 'mails', after: -1 },
        { behind: 'calls:$odd.1', reaction: 'calls', after: 2 ** 40 },
      ]
      await books.write(entries, 2 ** 40 + 1)
      const written = {
        checkpoint: 2 ** 40 + 1,
        reactions: [['mails', -1]],
        behind: [
          { gate: 'calls:$odd.1', reaction: 'calls', after: 2 ** 40 },
          { gate: 'mails:1', reaction: 'mails', after: -1 },
        ],
        owed: [owed('mails/1', 2 ** 40), bare],
        cursors: [
          ['job 1', value],
          ['job 2', 0],
        ],
        dead: [letter],
        refused: [[refused(3, 7)], [refused(4, null)]],
      }
      expect(await everything(books)).to.deep.equal(written)
      expect(await everything(await current.reopen())).to.deep.equal(written)
    })

    it('keep a checkpoint by itself, and one that comes with entries after it', async () => {
      await books.write([], 5)
      expect(await books.checkpoint()).to.equal(5)
      await books.write([{ owed: owed('mails/1', 6) }], 6)
      await books.write([], 7)
      await books.write([{ settled: { lane: 'mails/1', position: 6 } }])
      expect(await books.checkpoint()).to.equal(7)
      books = await current.reopen()
      expect(await books.checkpoint()).to.equal(7)
      expect(await collect(books.owed())).to.deep.equal([])
    })

    it('give what is owed by lane and position, and one lane by itself', async () => {
      const lanes = ['a/1', 'a', 'ab', 'a b', 'a/10', 'a/1/2', 'b']
      const rows = lanes.flatMap((lane) => [10, 9, 2 ** 40, 100].map((position) => owed(lane, position)))
      await books.write(rows.map((row) => ({ owed: row })))
      const inOrder = lanes.sort().flatMap((lane) => [9, 10, 100, 2 ** 40].map((position) => [lane, position] as const))
      expect(places(await collect(books.owed()))).to.deep.equal(inOrder)
      expect(places(await books.owedIn('a', 10))).to.deep.equal([9, 10, 100, 2 ** 40].map((at) => ['a', at]))
      expect(places(await books.owedIn('a/1', 2))).to.deep.equal([9, 10].map((at) => ['a/1', at]))
      expect(await books.owedIn('a/1', 0)).to.deep.equal([])
      expect(await books.owedIn('c', 10)).to.deep.equal([])
    })

    it('replace what is put again, and let go of what is settled or revived', async () => {
      const again = owed('mails/1', 1, { attempts: 3, due: 5 })
      await books.write([{ owed: owed('mails/1', 1) }, { owed: owed('mails/1', 2) }, { dead: dead('mails/1', 0) }])
      await books.write([{ owed: again }, { dead: dead('mails/1', 0, { attempts: 9 }) }])
      expect(await collect(books.owed())).to.deep.equal([again, owed('mails/1', 2)])
      expect(await books.dead({ limit: 5 })).to.deep.equal([dead('mails/1', 0, { attempts: 9 })])
      const gone = { lane: 'mails/1', position: 9 }
      await books.write([{ settled: again }, { revived: dead('mails/1', 0) }, { settled: gone }, { revived: gone }])
      expect(await collect(books.owed())).to.deep.equal([owed('mails/1', 2)])
      expect(await books.dead({ limit: 5 })).to.deep.equal([])
    })

    it('leave a row as it is where one comes that waits behind another, and move places of gates and end them', async () => {
      const first = owed('mails/1', 1)
      const behind = owed('mails/1', 1, { attempts: 0, due: null, error: null })
      await books.write([{ owed: first }, { behind: 'mails:1', reaction: 'mails', after: 3 }])
      await books.write([{ owed: behind }, { behind: 'mails:1', reaction: 'mails', after: 9 }])
      expect(await collect(books.owed())).to.deep.equal([first])
      expect(await books.behind()).to.deep.equal([{ gate: 'mails:1', reaction: 'mails', after: 9 }])
      await books.write([{ settled: first }, { owed: behind }, { behind: 'mails:1', reaction: 'mails', after: null }])
      expect(await collect(books.owed())).to.deep.equal([behind])
      expect(await books.behind()).to.deep.equal([])
    })

    it('let the last word of a write count', async () => {
      const [one, other] = [owed('mails/1', 1), owed('mails/1', 2)]
      await books.write([{ owed: one }])
      await books.write([
        { settled: one },
        { owed: { ...one, attempts: 9 } },
        { owed: other },
        { settled: other },
        { cursor: 'job', value: 1 },
        { cursor: 'job', value: null },
        { cursor: 'other job', value: null },
        { cursor: 'other job', value: 2 },
        { reaction: 'mails', since: 1 },
        { reaction: 'mails', since: 2 },
      ])
      expect(await collect(books.owed())).to.deep.equal([{ ...one, attempts: 9 }])
      expect(await collect(books.cursors())).to.deep.equal([['other job', 2]])
      expect(await books.reactions()).to.deep.equal(new Map([['mails', 2]]))
    })

    it('move cursors, and end them', async () => {
      await books.write([{ cursor: 'job 1', value: { after: 1 } }])
      await books.write([{ cursor: 'job 1', value: { after: 2 } }])
      expect(await books.cursor('job 1')).to.deep.equal({ after: 2 })
      await books.write([{ cursor: 'job 1', value: null }])
      expect(await books.cursor('job 1')).to.equal(null)
      expect(await collect(books.cursors())).to.deep.equal([])
    })

    it('give what was given up page by page, of all and of one workspace', async () => {
      const letters = ['b', 'a', 'a b', 'c'].flatMap((lane) =>
        [3, 20, 100].map((position) => dead(lane, position, { workspace_id: [7, 8, null][position % 3]! })),
      )
      await books.write(letters.map((letter) => ({ dead: letter })))
      const expected = (workspaceId?: number) =>
        ['a', 'a b', 'b', 'c'].flatMap((lane) =>
          letters.filter((each) => each.lane === lane && (!workspaceId || each.workspace_id === workspaceId)),
        )
      for (const workspaceId of [undefined, 7, 8, 9]) {
        const found: DeadLetter[] = []
        const asked = (): LettersAsked => {
          const after = found.at(-1)
          return { limit: 2, ...(after && { after }), ...(workspaceId && { workspaceId }) }
        }
        for (let page = await books.dead(asked()); page.length > 0; page = await books.dead(asked()))
          found.push(...page)
        expect(found).to.deep.equal(expected(workspaceId))
      }
      expect(await books.dead({ limit: 0 })).to.deep.equal([])
    })

    it('count what is owed and what was given up, by reaction', async () => {
      const rows = [1, 2, 3].flatMap((at) => [{ owed: owed('mails/1', at) }, { owed: owed('calls/2', at) }])
      await books.write([...rows, { dead: dead('calls/2', 8) }, { settled: { lane: 'calls/2', position: 2 } }])
      const { owed: waiting, dead: givenUp } = await books.counts()
      expect([...waiting].sort()).to.deep.equal([
        ['calls', 2],
        ['mails', 3],
      ])
      expect([...givenUp]).to.deep.equal([['calls', 1]])
    })

    it('keep the last thousand refusals of each workspace, and give the newest first', async () => {
      const write = (from: number, count: number, workspaceId: number | null) =>
        books.write(Array.from({ length: count }, (_, n) => ({ refused: refused(from + n, workspaceId) })))
      await write(0, 5, 70)
      await write(0, 1, null)
      await write(0, 1500, 7)
      for (let at = 1500; at < 1800; at += 20) await write(at, 20, 7)
      await books.write([{ refused: refused(1800, 7) }, { refused: refused(1, null) }])
      books = await current.reopen()
      const kept = await books.refused(7, 5000)
      expect(kept.map(({ position }) => position)).to.deep.equal(Array.from({ length: KEPT }, (_, n) => 1800 - n))
      expect(await books.refused(7, 2)).to.deep.equal([refused(1800, 7), refused(1799, 7)])
      expect(await books.refused(null, 10)).to.deep.equal([refused(1, null), refused(0, null)])
      expect(await books.refused(70, 10)).to.have.length(5)
      expect(await books.refused(700, 10)).to.deep.equal([])
    })

    it('take many changes at once', async () => {
      const rows = Array.from({ length: MANY }, (_, n) => owed(`mails/${n % 100}`, n))
      await books.write(
        rows.map((row) => ({ owed: row })),
        MANY,
      )
      const read = await collect(books.owed())
      expect(read).to.have.length(MANY)
      expect(new Set(read.map(({ position }) => position)).size).to.equal(MANY)
      for (const [n, { lane, position }] of read.slice(1).entries())
        expect(read[n]!.lane < lane || (read[n]!.lane === lane && read[n]!.position < position)).to.equal(true)
      expect((await books.counts()).owed.get('mails')).to.equal(MANY)
      const settled = rows.slice(10).map(({ lane, position }) => ({ settled: { lane, position } }))
      await books.write(settled, MANY + 1)
      expect(await collect(books.owed())).to.have.length(10)
      expect(await books.checkpoint()).to.equal(MANY + 1)
    })
  })
}
