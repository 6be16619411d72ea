import { expect } from 'chai'
import type {
  DeadLetter,
  DeadLetterQuery,
  PendingTask,
  ReactorStore,
  RefusedCommand,
  StoreChange,
} from '../../domain/kernel/ports/reactor-store.ts'
import { collect } from './event-log/setting.ts'

/** A reactor store under test. */
export interface OpenReactorStore {
  readonly reactorStore: ReactorStore
  /** Closes the store and opens it again, as a restarted process would. */
  reopen(): Promise<ReactorStore>
  cleanup(): Promise<void>
}

const MANY = 10_000
const KEPT = 1000

export const owed = (lane: string, position: number, other: Partial<PendingTask> = {}): PendingTask => ({
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

export const refused = (position: number, workspace_id: number | null): RefusedCommand => {
  return { reaction: 'mails', position, workspace_id, at: '2026-02-03T04:05:06.789Z', reason: `no ${position}` }
}

const places = (rows: readonly Pick<PendingTask, 'lane' | 'position'>[]) =>
  rows.map(({ lane, position }) => [lane, position] as const)

/** Contract of all reactor stores. @param open called before each test */
export function reactorStoreContract(name: string, open: () => Promise<OpenReactorStore>): void {
  describe(`${name} as a reactor store`, () => {
    let current: OpenReactorStore
    let reactorStore: ReactorStore
    beforeEach(async () => {
      current = await open()
      reactorStore = current.reactorStore
    })
    afterEach(() => current.cleanup())

    const everything = async (from: ReactorStore) => ({
      checkpoint: await from.checkpoint(),
      reactions: [...(await from.reactions())].sort(),
      behind: await from.behind(),
      owed: await collect(from.pending()),
      cursors: await collect(from.cursors()),
      dead: await from.deadLetters({ limit: 100 }),
      refused: [await from.refusals(7, 100), await from.refusals(null, 100)],
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
      expect(await everything(reactorStore)).to.deep.equal(nothing)
      await reactorStore.write([])
      expect(await everything(reactorStore)).to.deep.equal(nothing)
      expect(await reactorStore.counts()).to.deep.equal({ pending: new Map(), deadLetters: new Map() })
      expect(await reactorStore.cursor('job 1')).to.equal(null)
      expect(await reactorStore.pendingIn('mails/1', 5)).to.deep.equal([])
    })

    it('give back what was written, also to the next process', async () => {
      const bare = owed('mails/2', 0, { workspace_id: null, due: null, error: null, attempts: 0 })
      const value = { after: 5, '$odd.key': [null, 1.5, 'é'] }
      const letter = dead('mails/1', 8, { workspace_id: null })
      const entries: StoreChange[] = [
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
      await reactorStore.write(entries, 2 ** 40 + 1)
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
      expect(await everything(reactorStore)).to.deep.equal(written)
      expect(await everything(await current.reopen())).to.deep.equal(written)
    })

    it('keep a checkpoint by itself, and one that comes with entries after it', async () => {
      await reactorStore.write([], 5)
      expect(await reactorStore.checkpoint()).to.equal(5)
      await reactorStore.write([{ owed: owed('mails/1', 6) }], 6)
      await reactorStore.write([], 7)
      await reactorStore.write([{ settled: { lane: 'mails/1', position: 6 } }])
      expect(await reactorStore.checkpoint()).to.equal(7)
      reactorStore = await current.reopen()
      expect(await reactorStore.checkpoint()).to.equal(7)
      expect(await collect(reactorStore.pending())).to.deep.equal([])
    })

    it('give what is owed by lane and position, and one lane by itself', async () => {
      const lanes = ['a/1', 'a', 'ab', 'a b', 'a/10', 'a/1/2', 'b']
      const rows = lanes.flatMap((lane) => [10, 9, 2 ** 40, 100].map((position) => owed(lane, position)))
      await reactorStore.write(rows.map((row) => ({ owed: row })))
      const inOrder = lanes.sort().flatMap((lane) => [9, 10, 100, 2 ** 40].map((position) => [lane, position] as const))
      expect(places(await collect(reactorStore.pending()))).to.deep.equal(inOrder)
      expect(places(await reactorStore.pendingIn('a', 10))).to.deep.equal([9, 10, 100, 2 ** 40].map((at) => ['a', at]))
      expect(places(await reactorStore.pendingIn('a/1', 2))).to.deep.equal([9, 10].map((at) => ['a/1', at]))
      expect(await reactorStore.pendingIn('a/1', 0)).to.deep.equal([])
      expect(await reactorStore.pendingIn('c', 10)).to.deep.equal([])
    })

    it('replace what is put again, and let go of what is settled or revived', async () => {
      const again = owed('mails/1', 1, { attempts: 3, due: 5 })
      await reactorStore.write([
        { owed: owed('mails/1', 1) },
        { owed: owed('mails/1', 2) },
        { dead: dead('mails/1', 0) },
      ])
      await reactorStore.write([{ owed: again }, { dead: dead('mails/1', 0, { attempts: 9 }) }])
      expect(await collect(reactorStore.pending())).to.deep.equal([again, owed('mails/1', 2)])
      expect(await reactorStore.deadLetters({ limit: 5 })).to.deep.equal([dead('mails/1', 0, { attempts: 9 })])
      const gone = { lane: 'mails/1', position: 9 }
      await reactorStore.write([
        { settled: again },
        { revived: dead('mails/1', 0) },
        { settled: gone },
        { revived: gone },
      ])
      expect(await collect(reactorStore.pending())).to.deep.equal([owed('mails/1', 2)])
      expect(await reactorStore.deadLetters({ limit: 5 })).to.deep.equal([])
    })

    it('leave a row as it is where one comes that waits behind another, and move places of gates and end them', async () => {
      const first = owed('mails/1', 1)
      const behind = owed('mails/1', 1, { attempts: 0, due: null, error: null })
      await reactorStore.write([{ owed: first }, { behind: 'mails:1', reaction: 'mails', after: 3 }])
      await reactorStore.write([{ owed: behind }, { behind: 'mails:1', reaction: 'mails', after: 9 }])
      expect(await collect(reactorStore.pending())).to.deep.equal([first])
      expect(await reactorStore.behind()).to.deep.equal([{ gate: 'mails:1', reaction: 'mails', after: 9 }])
      await reactorStore.write([
        { settled: first },
        { owed: behind },
        { behind: 'mails:1', reaction: 'mails', after: null },
      ])
      expect(await collect(reactorStore.pending())).to.deep.equal([behind])
      expect(await reactorStore.behind()).to.deep.equal([])
    })

    it('let the last word of a write count', async () => {
      const [one, other] = [owed('mails/1', 1), owed('mails/1', 2)]
      await reactorStore.write([{ owed: one }])
      await reactorStore.write([
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
      expect(await collect(reactorStore.pending())).to.deep.equal([{ ...one, attempts: 9 }])
      expect(await collect(reactorStore.cursors())).to.deep.equal([['other job', 2]])
      expect(await reactorStore.reactions()).to.deep.equal(new Map([['mails', 2]]))
    })

    it('move cursors, and end them', async () => {
      await reactorStore.write([{ cursor: 'job 1', value: { after: 1 } }])
      await reactorStore.write([{ cursor: 'job 1', value: { after: 2 } }])
      expect(await reactorStore.cursor('job 1')).to.deep.equal({ after: 2 })
      await reactorStore.write([{ cursor: 'job 1', value: null }])
      expect(await reactorStore.cursor('job 1')).to.equal(null)
      expect(await collect(reactorStore.cursors())).to.deep.equal([])
    })

    it('give what was given up page by page, of all and of one workspace', async () => {
      const letters = ['b', 'a', 'a b', 'c'].flatMap((lane) =>
        [3, 20, 100].map((position) => dead(lane, position, { workspace_id: [7, 8, null][position % 3]! })),
      )
      await reactorStore.write(letters.map((letter) => ({ dead: letter })))
      const expected = (workspaceId?: number) =>
        ['a', 'a b', 'b', 'c'].flatMap((lane) =>
          letters.filter((each) => each.lane === lane && (!workspaceId || each.workspace_id === workspaceId)),
        )
      for (const workspaceId of [undefined, 7, 8, 9]) {
        const found: DeadLetter[] = []
        const asked = (): DeadLetterQuery => {
          const after = found.at(-1)
          return { limit: 2, ...(after && { after }), ...(workspaceId && { workspaceId }) }
        }
        for (
          let page = await reactorStore.deadLetters(asked());
          page.length > 0;
          page = await reactorStore.deadLetters(asked())
        )
          found.push(...page)
        expect(found).to.deep.equal(expected(workspaceId))
      }
      expect(await reactorStore.deadLetters({ limit: 0 })).to.deep.equal([])
    })

    it('count what is owed and what was given up, by reaction', async () => {
      const rows = [1, 2, 3].flatMap((at) => [{ owed: owed('mails/1', at) }, { owed: owed('calls/2', at) }])
      await reactorStore.write([...rows, { dead: dead('calls/2', 8) }, { settled: { lane: 'calls/2', position: 2 } }])
      const { pending: waiting, deadLetters: givenUp } = await reactorStore.counts()
      expect([...waiting].sort()).to.deep.equal([
        ['calls', 2],
        ['mails', 3],
      ])
      expect([...givenUp]).to.deep.equal([['calls', 1]])
    })

    it('keep the last thousand refusals of each workspace, and give the newest first', async () => {
      const write = (from: number, count: number, workspaceId: number | null) =>
        reactorStore.write(Array.from({ length: count }, (_, n) => ({ refused: refused(from + n, workspaceId) })))
      await write(0, 5, 70)
      await write(0, 1, null)
      await write(0, 1500, 7)
      for (let at = 1500; at < 1800; at += 20) await write(at, 20, 7)
      await reactorStore.write([{ refused: refused(1800, 7) }, { refused: refused(1, null) }])
      reactorStore = await current.reopen()
      const kept = await reactorStore.refusals(7, 5000)
      expect(kept.map(({ position }) => position)).to.deep.equal(Array.from({ length: KEPT }, (_, n) => 1800 - n))
      expect(await reactorStore.refusals(7, 2)).to.deep.equal([refused(1800, 7), refused(1799, 7)])
      expect(await reactorStore.refusals(null, 10)).to.deep.equal([refused(1, null), refused(0, null)])
      expect(await reactorStore.refusals(70, 10)).to.have.length(5)
      expect(await reactorStore.refusals(700, 10)).to.deep.equal([])
    })

    it('take many changes at once', async () => {
      const rows = Array.from({ length: MANY }, (_, n) => owed(`mails/${n % 100}`, n))
      await reactorStore.write(
        rows.map((row) => ({ owed: row })),
        MANY,
      )
      const read = await collect(reactorStore.pending())
      expect(read).to.have.length(MANY)
      expect(new Set(read.map(({ position }) => position)).size).to.equal(MANY)
      for (const [n, { lane, position }] of read.slice(1).entries())
        expect(read[n]!.lane < lane || (read[n]!.lane === lane && read[n]!.position < position)).to.equal(true)
      expect((await reactorStore.counts()).pending.get('mails')).to.equal(MANY)
      const settled = rows.slice(10).map(({ lane, position }) => ({ settled: { lane, position } }))
      await reactorStore.write(settled, MANY + 1)
      expect(await collect(reactorStore.pending())).to.have.length(10)
      expect(await reactorStore.checkpoint()).to.equal(MANY + 1)
    })
  })
}
