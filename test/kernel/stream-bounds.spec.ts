import { expect } from 'chai'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { book, CLIENT, type Library, library, shelf, shelves, WORKER } from './shelves.ts'

const bounds = { soft: { records: 5, bytes: 40_000 }, hard: { records: 8, bytes: 80_000 } }
const PAGE = 'x'.repeat(5000)

describe('The end of a stream', () => {
  let own: Library
  beforeEach(async () => {
    own = await library({ bounds })
    await own.ask('create', { label: 'Novels' })
  })
  afterEach(() => own.close())

  let ids = 100
  const place = (child: string, label = CLIENT, content: string | null = null) =>
    own.ask('create', { title: 'A', ...(content && { content }) }, { child, id: ++ids }, label)
  const problemOf = (result: unknown) =>
    result instanceof Refusal ? [result.kind, result.details[0]?.field, result.details[0]?.code, result.message] : 'ok'
  const events = async (): Promise<number> => {
    let count = 0
    for await (const _ of own.log.readStream('test/shelf-1')) count++
    return count
  }
  const TOO_MANY = 'This shelf is full: together with everything in it, it can have at most'

  it('bounds the records of all kinds together, for what clients add', async () => {
    for (const child of ['books', 'cards', 'books', 'cards']) expect(problemOf(await place(child))).to.equal('ok')
    const before = await events()
    for (const child of ['books', 'cards'])
      expect(problemOf(await place(child))).to.deep.equal(['invalid', 'base', 'too_many', `${TOO_MANY} 5 records`])
    const jobs = await place('books', 'worker:jobs')
    expect(problemOf(jobs), 'what a job does for a client').to.include('too_many')
    expect(await events()).to.equal(before)
  })

  it('leaves room for what happens: reports of workers and providers, up to a higher bound', async () => {
    for (let number = 0; number < 4; number++) await place('books')
    for (const label of [WORKER, 'worker:policies', 'provider:whop'])
      expect(problemOf(await place('cards', label)), label).to.equal('ok')
    expect(problemOf(await place('cards', WORKER))).to.deep.equal([
      'invalid',
      'base',
      'too_many',
      `${TOO_MANY} 8 records`,
    ])
  })

  it('bounds the bytes, for additions and for changes', async () => {
    for (let number = 0; number < 3; number++) expect(problemOf(await place('books', CLIENT, PAGE))).to.equal('ok')
    expect(problemOf(await place('books', CLIENT, PAGE))).to.deep.equal([
      'invalid',
      'base',
      'too_large',
      `${TOO_MANY} 40000 bytes`,
    ])
    const grow = (label: string) =>
      own.ask('change', { content: PAGE.repeat(3) }, { child: 'books', id: ids - 1 }, label)
    expect(problemOf(await grow(CLIENT))).to.include('too_large')
    expect(problemOf(await grow(WORKER))).to.equal('ok')
  })

  it('never keeps out what ends, removes, or changes little, and has room again after that', async () => {
    for (let number = 0; number < 20; number++)
      await own.append([{ type: 'BookPlaced', data: { book_id: number + 1, title: 'A', content: PAGE } }])
    for (const label of [CLIENT, WORKER]) expect(problemOf(await place('books', label)), label).to.include('too_many')
    expect(problemOf(await own.ask('change', { label: 'Full' }))).to.equal('ok')
    expect(problemOf(await own.ask('change', { title: 'B' }, { child: 'books', id: 1 }))).to.equal('ok')
    expect(problemOf(await own.ask('change', { content: 'less' }, { child: 'books', id: 1 }))).to.equal('ok')
    for (let id = 1; id <= 17; id++)
      expect(problemOf(await own.ask('remove', {}, { child: 'books', id }))).to.equal('ok')
    expect(problemOf(await place('cards'))).to.equal('ok')
    expect(problemOf(await place('cards'))).to.include('too_many')
    expect(problemOf(await own.ask('remove'))).to.equal('ok')
  })

  it('is there in a dry run too', async () => {
    for (let number = 0; number < 4; number++) await place('books')
    const next = own.transaction('create', { title: 'A' }, { child: 'books', id: ++ids })
    expect(problemOf(await own.engine.dryRun(next))).to.include('too_many')
  })

  it('refuses a record that would begin beyond it', async () => {
    const result = await own.ask('create', { label: 'x'.repeat(30_000) }, {}, CLIENT, 2)
    expect(problemOf(result)).to.include('too_large')
  })

  it('is counted in records and bytes that do not depend on how the events came', () => {
    const event = (type: string, data: object, revision: number) => ({
      type,
      data: data as never,
      stream: 'test/shelf-1',
      revision,
      metadata: { at: '2026-03-01T09:00:00.000Z', actor: CLIENT, $correlationId: 'c', $causationId: 'c' },
    })
    const history = [
      event('ShelfBuilt', { label: 'A' }, 0),
      ...Array.from({ length: 40 }, (_, n) => {
        const data = { book_id: (n * 7) % 11, title: 'x'.repeat((n * 13) % 50), content: n % 3 === 0 ? PAGE : null }
        return event(n < 11 ? 'BookPlaced' : n % 5 === 0 ? 'BookTaken' : 'BookRevised', data, n + 1)
      }),
    ]
    let [oneByOne, size] = [shelves.initial, 0]
    for (const one of history) oneByOne = shelves.fold(oneByOne, [one])
    const atOnce = shelves.fold(shelves.initial, history)
    expect(oneByOne).to.deep.equal(atOnce)
    for (const { name } of [shelf, book]) size += atOnce.documents[name]?.size ?? 0
    expect(atOnce.records).to.equal(size)
    const empty = history.flatMap(({ type, data }) => (type === 'BookPlaced' ? [data] : []))
    const ended = shelves.fold(
      atOnce,
      empty.map((data, n) => event('BookTaken', data, 100 + n)),
    )
    expect(ended.records).to.equal(1)
    expect(ended.bytes).to.equal(shelves.fold(shelves.initial, history.slice(0, 1)).bytes)
  })
})
