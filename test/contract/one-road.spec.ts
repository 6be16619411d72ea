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

  it('reads documents of the whole installation only where a rule stands that says whose they are', () => {
    const reading = matching(/\b(?:everywhere|live)\.(?:get|getMany|find|count)\(/)
    const inApi = reading.filter((file) => file.startsWith('api/'))
    // Operations: tenancy decides who reaches a record, before anything else is read.
    const isOperation = (file: string) => file.startsWith('api/handlers/')
    // People, teams, keys and applications are the installation's.
    const isOfPeople = (file: string) => /^api\/(?:accounts|oauth)\//.test(file)
    expect(inApi.filter((file) => !isOperation(file) && !isOfPeople(file))).to.have.members([
      // They find out who asks, or for which site.
      ...['api/agents/server.ts', 'api/bearer-tokens.ts', 'api/members/app.ts', 'api/pages/site.ts'],
      // A signed link, or a secret, names the record.
      ...['api/mail/recipients.ts', 'api/mail/reports.ts', 'api/public/images.ts', 'api/public/purchases.ts'],
      // Conditions name the member, the community, the blog or the session that is open already.
      ...['api/mail/topics.ts', 'api/pages/blog/listing.ts', 'api/sdk/checkout/card-testing.ts'],
      ...['api/members/communities/counts.ts', 'api/members/communities/mentionable.ts'],
      ...['api/members/communities/thread.ts', 'api/members/courses/course-page.ts'],
      ...['api/members/courses/open-course.ts', 'api/members/orders/order-pages.ts'],
      ...['api/sdk/checkout/orders.ts', 'api/sdk/checkout/state.ts', 'api/sdk/page-of.ts'],
    ])
  })
})
