import { expect } from 'chai'
import type { Append, EventLog } from '../../domain/kernel/ports/event-log.ts'
import { losingAnswers } from '../support/lost-answers.ts'
import { withOwn } from '../support/with-own.ts'
import { library } from './shelves.ts'

describe('a command whose append was not answered', () => {
  let loses = 0
  let here: Awaited<ReturnType<typeof library>>
  beforeEach(async () => {
    loses = 0
    const isLost = ({ events }: Append) => events.length > 0 && loses-- > 0
    const asSeen = (log: EventLog) => losingAnswers(log, { isRepeated: () => true, loses: isLost })
    here = await library({ asSeen })
    await here.ask('create')
  })
  afterEach(() => here.close())

  const label = (text: string) => here.transaction('change', { label: text })
  const events = async () => {
    const found: string[] = []
    for await (const { type } of here.log.readStream('test/shelf-1')) found.push(type)
    return found
  }
  /** Asks once more, as whoever waits for a store does. */
  const repeated = async (transaction: ReturnType<typeof label>) => {
    loses = 1
    await here.engine.transact(transaction).then(
      () => expect.fail('the answer came'),
      (error: { readonly kind?: string }) => expect(error.kind).to.equal('unavailable'),
    )
    return here.engine.transact(transaction)
  }
  const typesIn = (outcome: object) =>
    (outcome as { readonly events: readonly { readonly type: string }[] }).events.map(({ type }) => type)

  it('gives a repeat the outcome of the first time', async () => {
    const outcome = await repeated(label('A'))
    expect(typesIn(outcome)).to.deep.equal(['ShelfLabelled'])
    expect(outcome).to.include({ revision: 1, position: await here.log.lastPosition() })
    expect(await events()).to.deep.equal(['ShelfBuilt', 'ShelfLabelled'])
  })

  it('does so although another command has come between', async () => {
    loses = 1
    const first = label('A')
    await here.engine.transact(first).catch(() => undefined)
    await here.ask('create', { title: 'Gulliver' }, { child: 'books', id: 2 })
    expect(typesIn(await here.engine.transact(first))).to.deep.equal(['ShelfLabelled'])
    expect(await events()).to.have.length(3)
  })

  it('is carried out anew by the same cause where it has been undone since', async () => {
    const [first, other] = [label('A'), label('B')]
    await repeated(first)
    await here.engine.transact(other)
    expect(typesIn(await here.engine.transact(first))).to.deep.equal(['ShelfLabelled'])
    expect(await events()).to.have.length(4)
  })

  it('is another command where another cause asks for the same', async () => {
    loses = 1
    await here.engine.transact(label('A')).catch(() => undefined)
    expect(typesIn(await here.engine.transact(label('A')))).to.deep.equal([])
  })

  it('is decided anew where it did not get into the log', async () => {
    let isAway = true
    const asSeen = (log: EventLog): EventLog =>
      withOwn(log, {
        append: (request) => (isAway ? Promise.reject(new Error('away')) : log.append(request)),
      })
    const there = await library({ asSeen })
    const build = there.transaction('create')
    await there.engine.transact(build).catch(() => undefined)
    isAway = false
    expect(typesIn(await there.engine.transact(build))).to.deep.equal(['ShelfBuilt'])
    there.close()
  })
})
