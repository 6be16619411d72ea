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

  it('reads on in one place behind what a query found, but where somebody waits who gets no answer after a time', () => {
    const loops = matching(/\bfor \(let \[?(?:after|behind|last)\b|\blet (?:after|behind)\b[^\n]*Place\b/)
    expect(loops.filter((file) => !file.startsWith('infra/'))).to.have.members([
      'api/handlers/list-page.ts',
      'domain/resources/record-statistics/index.ts',
      // By the records that others lead to.
      'domain/resources/selected.ts',
    ])
  })

  it('asks in one place whether a record is of a workspace', () => {
    const COMPARED =
      /\b(?:workspace_id|workspaceId) [!=]== (?!undefined|null|'|typeof)|(?<!typeof \S*) [!=]== (?:\w+\??\.)*(?:workspace_id|workspaceId)\b/
    expect(matching(COMPARED)).to.have.members([
      // Readers, the engine and what callers reach: here the rule stands.
      'domain/kernel/decide/bound-reader.ts',
      'domain/kernel/engine/at-home.ts',
      'api/tenancy.ts',
      // What is compared here is no record: names that any workspace may have, what was signed, and events of the log.
      'domain/sites/domain/rules.ts',
      'api/sdk/visitor.ts',
      'workers/clock/quiet.ts',
    ])
  })
})
