import { expect } from 'chai'
import { textsBelow } from '../support/import-graph.ts'

const sources = [...textsBelow(['domain', 'api', 'workers', 'infra', 'projections'])]

const matching = (pattern: RegExp): readonly string[] =>
  sources.filter(([, text]) => pattern.test(text)).map(([file]) => file)

describe('one road', () => {
  it('has commands carried out by the desk alone', () => {
    const carriers = matching(/\bengine\.transact\(/).filter((file) => !file.startsWith('domain/kernel/engine/'))
    // It stands before the engine, and asks whether a clock is being advanced.
    expect(carriers).to.eql(['infra/runtime/client-engine.ts'])
  })

  it('has commands stamped where they are carried out', () => {
    expect(matching(/\bstampCommand\(/)).to.have.members(['domain/kernel/engine/desk.ts', 'api/handlers/carry-out.ts'])
  })

  it('has what is signed marked in one place, but where a receiver or a sender outside says how', () => {
    expect(matching(/\bcreateHmac\(/)).to.have.members([
      'infra/vault/marks.ts',
      'workers/webhooks/sign.ts',
      'api/mail/callbacks.ts',
    ])
  })
})
