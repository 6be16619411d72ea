import { expect } from 'chai'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { decider } from '../../../domain/kernel/decide/decider.ts'
import type { Engine } from '../../../domain/kernel/engine/engine.ts'
import { managed } from '../../../domain/kernel/model/field.ts'
import { integer, text } from '../../../domain/kernel/model/fields.ts'
import { model } from '../../../domain/kernel/model/model.ts'
import { type Adapter, adapterAt, type CallResult, port } from '../../../domain/kernel/ports/calls.ts'
import { process } from '../../../domain/resources/process/index.ts'
import { processModel } from '../../../domain/resources/process/model.ts'
import { call, command } from '../../../domain/resources/process/steps.ts'
import { openSetting, soon } from '../reactor/setting.ts'
import { openShop } from './shop.ts'

const copy = model('test/copy', {
  attributes: { words: text({ required: true }) },
  events: { CopyFiled: { creates: true } },
})
const copies = decider(copy)

const mail = port<{ readonly words: string }, null>('mail')

const letter = processModel('test/letter', {
  attributes: { words: text({ required: true }), copy_id: managed(integer({ nullable: true })) },
  events: {
    begun: 'LetterBegun',
    moved: 'LetterMoved',
    calledOff: 'LetterCalledOff',
    stuck: 'LetterStuck',
    resumed: 'LetterResumed',
    completed: 'LetterCompleted',
    undone: 'LetterUndone',
  },
})

/** A letter that must not be sent twice and may be lost, with a copy for the files. */
const letters = process(letter, {
  withinMs: 60_000,
  steps: [
    {
      name: 'file',
      invoke: command(letter, {
        command: ({ words }) => ask(copies, 'new', 'create', { words }),
        saveResult: (copy_id) => ({ copy_id }),
      }),
    },
    {
      name: 'send',
      invoke: call(letter, { port: mail, onUnknown: 'accept', timeoutMs: 40, request: ({ words }) => ({ words }) }),
    },
  ],
})

describe('a process with a new record, and a call that is accepted when its outcome is unknown', () => {
  let setting: Awaited<ReturnType<typeof openSetting>>
  let shop: ReturnType<typeof openShop>
  let sent: string[]

  beforeEach(async () => {
    setting = await openSetting()
    shop = openShop(setting.log)
    sent = []
  })

  afterEach(() => setting.cleanup())

  const reactions = (says: () => Promise<CallResult<null>>, engine = shop.engine) => {
    const postman: Adapter<{ readonly words: string }, null> = {
      send({ words }) {
        sent.push(words)
        return says()
      },
    }
    return shop.reactions(new Map([adapterAt(mail, postman)]), [letters], engine)
  }

  const events = async () => {
    const found = []
    for await (const event of setting.log.readAll()) found.push(event)
    return found
  }

  const isCompleted = async () => (await events()).some(({ type }) => type === 'LetterCompleted')

  it('files one copy, and keeps its id', async () => {
    await setting.start(reactions(async () => ({ came: 'answered', answer: null })))
    await shop.ask(letters.decider, 1, 'create', { words: 'Hello' })
    await soon(isCompleted)
    const [filed] = (await events()).filter(({ type }) => type === 'CopyFiled')
    const [moved] = (await events()).filter(({ type }) => type === 'LetterMoved')
    expect(filed?.stream).to.equal(`test/copy-${moved?.data.copy_id}`)
  })

  it('sends nothing twice, and records what it skipped', async () => {
    await setting.start(reactions(() => new Promise(() => undefined)))
    await shop.ask(letters.decider, 1, 'create', { words: 'Hello' })
    await soon(isCompleted)
    await soon(async () => (await setting.reactorStore.refusals(7, 10)).length > 0)
    expect(sent).to.deep.equal(['Hello'])
    const [{ reason } = { reason: '' }] = await setting.reactorStore.refusals(7, 10)
    expect(reason).to.equal('test/letter.send: skipped, since it may have been done: no answer within 40 ms')
  })

  it('finds the copy that was filed before it failed, and files no other', async () => {
    let failures = 0
    const failing: Engine = {
      ...shop.engine,
      async transact(transaction) {
        if (transaction.command.type === 'settle' && failures++ === 0) throw new Error('it fails once')
        return shop.engine.transact(transaction)
      },
    }
    await setting.start(reactions(async () => ({ came: 'answered', answer: null }), failing))
    await shop.ask(letters.decider, 1, 'create', { words: 'Hello' })
    await soon(isCompleted)
    const filed = (await events()).filter(({ type }) => type === 'CopyFiled')
    const [moved] = (await events()).filter(({ type }) => type === 'LetterMoved')
    expect(filed.map(({ stream }) => stream)).to.deep.equal([`test/copy-${moved?.data.copy_id}`])
    expect(failures).to.be.greaterThan(1)
  })
})
