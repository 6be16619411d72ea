import { expect } from 'chai'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { storedKey } from '../../infra/claim-key.ts'
import { InOrder } from '../../infra/transfer/in-order.ts'
import { TaskLimiter } from '../../infra/transfer/under-way.ts'
import { Writes } from '../../infra/transfer/writes.ts'

const event = (stream: string, revision: number) => ({ stream, revision }) as RecordedEvent
const names = (write: readonly RecordedEvent[] | undefined) =>
  write?.map(({ stream, revision }) => `${stream}-${revision}`)

describe('What an import consists of', () => {
  it('combines consecutive events of one stream into one write, up to a bound', () => {
    const writes = new Writes()
    expect(writes.add(event('a', 0), 10)).to.equal(undefined)
    expect(writes.add(event('a', 1), 10)).to.equal(undefined)
    expect(names(writes.add(event('b', 0), 10))).to.deep.equal(['a-0', 'a-1'])
    expect(names(writes.add(event('b', 1), 300_000)), 'too long together').to.deep.equal(['b-0'])
    expect(names(writes.end())).to.deep.equal(['b-1'])
    expect(writes.end()).to.equal(undefined)
    const complete = Array.from({ length: 70 }, (_, n) => writes.add(event('c', n), 1)).filter(Boolean)
    expect(complete.map((write) => write!.length)).to.deep.equal([32, 32])
  })

  it('notices when one write has overtaken another, in any order of reports', () => {
    const inOrder = new InOrder()
    const [first, second, third] = [inOrder.next(), inOrder.next(), inOrder.next()]
    second(20)
    first(10)
    expect(() => third(15)).to.throw('position 15 after one at 20')
  })

  it('limits the work in flight, and ends with the first failure', async () => {
    const underWay = new TaskLimiter(2)
    const settle: { done(): void; fail(error: Error): void }[] = []
    const work = () => new Promise<void>((done, fail) => settle.push({ done, fail }))
    await underWay.add(work())
    let isIn = false
    const added = underWay.add(work()).then(() => {
      isIn = true
    })
    await new Promise(setImmediate)
    expect(isIn).to.equal(false)
    settle[0]!.done()
    await added
    settle[1]!.fail(new Error('the server is gone'))
    const error = await underWay.done().catch((thrown: Error) => thrown)
    expect(error).to.be.instanceOf(Error).with.property('message', 'the server is gone')
  })

  it('writes a key once, also when it moves repeatedly', () => {
    for (const key of ['email:x', `url:${'ä'.repeat(900)}`, 'name:a\0b', '"quoted"', 'lone:\ud800'])
      expect(storedKey(storedKey(key))).to.equal(storedKey(key))
    const all = ['name:a\0b', 'name:ab', '"name:ab"', 'lone:\ud800', 'lone:\ufffd'].map(storedKey)
    expect(new Set(all).size).to.equal(all.length)
  })
})
