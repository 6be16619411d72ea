import { expect } from 'chai'
import { routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import type { Append, EventLog } from '../../../domain/kernel/ports/event-log.ts'
import { refuse } from '../../../domain/kernel/values/refusal.ts'
import { preparing } from '../../support/operations.ts'
import { REFUSED_AS_MADE } from '../../support/refused-as-made.ts'
import { startTestService, type Tenant } from '../../support/service.ts'
import { withOwn } from '../../support/with-own.ts'

const writes = routesOf(resources).filter(
  ({ operation, operationId }) => operation.kind === 'write' && !REFUSED_AS_MADE.has(operationId),
)

/** Whether an append is that of a client's request: it takes the claim of the request's key. */
const isOfRequest = ({ take = [] }: Append): boolean => take.some(({ key }) => key.startsWith('idempotency:'))

/** A log that carries out an append and then gives no answer, as one that is gone, or whose writer was killed. */
const goneAfterwards = () => {
  let loses = false
  const written: string[] = []
  const asSeen = (log: EventLog): EventLog =>
    withOwn(log, {
      async append(request) {
        const appended = await log.append(request)
        if (!isOfRequest(request) || !appended.ok || appended.repeated) return appended
        written.push(...request.events.map(({ type }) => `${request.stream} ${type}`))
        if (!loses) return appended
        loses = false
        throw refuse.unavailable('the log did not answer')
      },
    })
  return {
    asSeen,
    /** Has the next append of a request lose its answer. */
    loseNext() {
      loses = true
    },
    /** Returns whether an answer was lost since, and what was written. */
    take() {
      const taken = { isLost: !loses, written: written.splice(0) }
      loses = false
      return taken
    },
  }
}

describe('every operation that writes, where the answer of the log is lost', () => {
  const log = goneAfterwards()
  let own: Tenant
  let ofTeam: Tenant
  before(async () => {
    own = await (await startTestService({}, log.asSeen)).tenant({ test: true })
    ofTeam = { ...own, api: await own.withScopes(['read', 'write'], 'team') }
  })

  for (const route of writes) {
    const { method, operationId } = route
    it(`${operationId} is done once under one key`, async () => {
      const { path, body } = await preparing(() => own, route).prepared()
      const { api } = route.operation.ofTeam ? ofTeam : own
      const send = () => api.call(method, path, body, { headers: { 'Idempotency-Key': operationId } })
      log.take()
      log.loseNext()
      const first = await send()
      const lost = log.take()
      const second = await send()
      const repeated = log.take()
      const third = await send()
      expect([lost.isLost, first.status]).to.eql([true, 503])
      expect(second.status, JSON.stringify(second.body)).to.be.below(300)
      expect(repeated.written.filter((one) => lost.written.includes(one))).to.eql([])
      expect([third.status, third.body, third.headers.get('idempotency-replayed')]).to.eql([
        second.status,
        second.body,
        'true',
      ])
      expect(log.take().written).to.eql([])
    })
  }
})
