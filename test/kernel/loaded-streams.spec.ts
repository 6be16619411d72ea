import { expect } from 'chai'
import { loadedStreams } from '../../domain/kernel/engine/loaded-streams.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { memoryOf } from '../../domain/kernel/values/memory-of.ts'
import { heapBytes } from '../support/heap.ts'
import { withOwn } from '../support/with-own.ts'
import { AT, book, CLIENT, type Library, library, shelf, shelves } from './shelves.ts'

const MIB = 1024 * 1024
const PAGE = 'x'.repeat(60_000)

/** A log that notes from which revision streams are read. */
const noting =
  (reads: number[]) =>
  (log: EventLog): EventLog =>
    withOwn(log, {
      readStream(...asked) {
        reads.push(asked[1]?.from ?? 0)
        return log.readStream(...asked)
      },
    })

const placed = (book_id: number, content: string | null = null) => ({
  type: 'BookPlaced',
  data: { book_id, title: 'A', content },
})

describe('A stream that is loaded', () => {
  let own: Library
  const reads: number[] = []
  beforeEach(() => reads.splice(0))
  afterEach(() => own.close())

  const fill = async (books: number, content: string | null) => {
    await own.append([{ type: 'ShelfBuilt', data: { label: null } }])
    for (let from = 1; from <= books; from += 50)
      await own.append(Array.from({ length: Math.min(50, books - from + 1) }, (_, n) => placed(from + n, content)))
  }

  it('lets others have the event loop between its slices', async () => {
    own = await library()
    await fill(300, PAGE)
    let turns = 0
    let isLoading = true
    const count = () => {
      turns++
      if (isLoading) setImmediate(count)
    }
    setImmediate(count)
    const records = await own.engine.records(shelves, 1, 0)
    isLoading = false
    expect(records.all(book)).to.have.length(300)
    // Half a megabyte of text at a time, out of eighteen.
    expect(turns).to.be.at.least(30)
  })

  it('is folded event by event, and never in memory as a list of events', async () => {
    own = await library()
    let [given, folded] = [0, 0]
    const log = {
      async *readStream(stream: string): AsyncGenerator<RecordedEvent> {
        for (; given < 1000; given++) {
          expect(folded).to.equal(given)
          const { type, data } = given === 0 ? { type: 'ShelfBuilt', data: {} } : placed(given)
          const metadata = { at: AT, actor: CLIENT, $correlationId: 'c', $causationId: 'c' }
          yield { id: 'id', type, data, metadata, stream, revision: given, position: given }
        }
      },
    }
    const streams = loadedStreams({
      log,
      vault: {} as never,
      upcast: (event) => event,
      cacheBytes: MIB,
      alone: true,
    })
    const aggregate = {
      ...shelves,
      foldFrom: (...from: Parameters<typeof shelves.foldFrom>) => {
        const fold = shelves.foldFrom(...from)
        const add = fold.add.bind(fold)
        fold.add = (event) => {
          folded++
          add(event)
        }
        return fold
      },
    }
    const { state, revision } = await streams.load(aggregate, 1)
    expect([state.records, revision]).to.deep.equal([1000, 999])
  })

  it('is cached when it fits, and counts with its records rather than with its events', async () => {
    own = await library({ cacheBytes: MIB, asSeen: noting(reads) })
    await own.ask('create', { label: 'A' })
    for (let number = 0; number < 300; number++) await own.ask('change', { label: `${number} ${'x'.repeat(9000)}` })
    expect(reads).to.deep.equal([])
    expect((await own.engine.records(shelves, 1, 300)).root(shelf)?.label).to.include('299 ')
    expect(reads).to.deep.equal([])
  })

  it('is cached when it was read', async () => {
    own = await library({ asSeen: noting(reads) })
    await fill(3, 'text')
    for (let times = 0; times < 3; times++)
      expect((await own.engine.records(shelves, 1, 1)).all(book)).to.have.length(3)
    await own.ask('change', { label: 'Changed' })
    expect((await own.engine.records(shelves, 1, 2)).root(shelf)?.label).to.equal('Changed')
    expect(reads).to.deep.equal([0])
  })

  it('is not hidden by the state of an earlier append whose answer comes late', async () => {
    const log = {
      async *readStream(): AsyncGenerator<RecordedEvent> {},
    }
    const streams = loadedStreams({
      ...{ log, vault: {} as never, upcast: (event) => event },
      ...{ cacheBytes: MIB, alone: true },
    })
    const state = await streams.load(shelves, 1)
    streams.cache('test/shelf-1', { ...state, revision: 1 })
    streams.cache('test/shelf-1', { ...state, revision: 0 })
    expect((await streams.load(shelves, 1)).revision).to.equal(1)
  })

  it('is not cached when it was appended to or dropped while it was read', async () => {
    const metadata = { at: AT, actor: CLIENT, $correlationId: 'c', $causationId: 'c' }
    const built = { type: 'ShelfBuilt', data: { label: 'Old' }, metadata }
    let meanwhile = () => {}
    const log = {
      async *readStream(stream: string, { from }: { readonly from: number }): AsyncGenerator<RecordedEvent> {
        if (from === 0) yield { id: 'id', ...built, stream, revision: 0, position: 0 }
        meanwhile()
      },
    }
    const streams = loadedStreams({
      ...{ log: log as Pick<EventLog, 'readStream'>, vault: {} as never, upcast: (event) => event },
      ...{ cacheBytes: MIB, alone: true },
    })
    const old = await streams.load(shelves, 1)
    streams.drop('test/shelf-1')
    meanwhile = () => streams.cache('test/shelf-1', { ...old, revision: 7 })
    expect((await streams.load(shelves, 1)).revision).to.equal(0)
    expect((await streams.load(shelves, 1)).revision).to.equal(7)
    for (const drops of [() => streams.drop('test/shelf-1'), () => streams.dropAll()]) {
      drops()
      meanwhile = drops
      await streams.load(shelves, 1)
      meanwhile = () => streams.cache('test/shelf-1', { ...old, revision: 9 })
      expect((await streams.load(shelves, 1)).revision, 'read anew').to.equal(0)
    }
  })

  it('is not cached when it would take most of the cache, and does not displace what is there', async () => {
    own = await library({ cacheBytes: MIB, asSeen: noting(reads) })
    await own.ask('create', { label: 'Small' }, {}, CLIENT, 2)
    await own.ask('create', { label: 'Large' })
    for (let id = 1; id <= 6; id++) await own.ask('create', { title: 'A', content: PAGE }, { child: 'books', id })
    reads.splice(0)
    await own.ask('change', { label: 'Still there' }, {}, CLIENT, 2)
    expect(reads, 'the small one').to.deep.equal([])
    await own.ask('change', { label: 'Read again' })
    await own.ask('change', { label: 'And again' })
    expect(reads, 'the large one').to.deep.equal([0, 0])
  })

  it('is read once at a time, however many ask for it', async () => {
    let [now, most] = [0, 0]
    own = await library({
      asSeen: (log) =>
        withOwn(log, {
          async *readStream(...asked) {
            most = Math.max(most, ++now)
            yield* log.readStream(...asked)
            now--
          },
        }),
    })
    await fill(100, 'text')
    const all = await Promise.all(Array.from({ length: 20 }, () => own.engine.records(shelves, 1, 0)))
    expect(all.map((records) => records.all(book).length)).to.deep.equal(Array(20).fill(100))
    expect(most).to.equal(1)
  })

  it('takes no more memory in the cache than that was given', async () => {
    own = await library({ cacheBytes: 4 * MIB })
    const before = heapBytes()
    for (let id = 1; id <= 250; id++) {
      await own.append([{ type: 'ShelfBuilt', data: { label: `Shelf ${id}` } }], id)
      const books = Array.from({ length: 30 }, (_, n) => placed(id * 100 + n, `${'text of '.repeat(n)}${id}`))
      await own.append(books, id)
      await own.ask('change', { label: `Label ${id}` }, {}, CLIENT, id)
    }
    expect(heapBytes() - before).to.be.within(1 * MIB, 6 * MIB)
  })
})

describe('The memory of a value', () => {
  it('is estimated closely enough: never far below what it takes', () => {
    const documents = (content: string): object => ({
      ...{ id: 12345, public_id: 'aBcDeFg', team_id: 1, workspace_id: 7, created_at: AT, updated_at: AT, rev: 4 },
      ...{ label: null, tags: [1, 2, 3], personal: { first_name: 'Ada', last_name: 'King', phone: null }, content },
    })
    const ratioOf = (text: string): number => {
      const before = heapBytes()
      const held = Array.from({ length: 4000 }, () => JSON.parse(text))
      const real = (heapBytes() - before) / held.length
      return memoryOf(held[0]) / real
    }
    for (const content of ['', 'short and plain', 'é'.repeat(2000), '語'.repeat(2000)])
      expect(ratioOf(JSON.stringify(documents(content))), content.slice(0, 9)).to.be.within(0.8, 2.5)
  })
})
