import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Append } from '../../domain/kernel/ports/event-log.ts'
import type { ApiClient } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { losingAnswers } from '../support/lost-answers.ts'
import { random, seedOfRun } from '../support/random.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { waitUntilSettled } from '../support/settled.ts'
import { variedTraffic } from '../support/traffic/traffic.ts'
import { busyDay } from './busy-day.ts'
import { differencesOf, endsOf } from './ends.ts'
import { byForm, printFigures } from './form.ts'

/** Runs of all traffic. Each append loses its answer in one of them. */
const ONE_OF = 8
/** Moves of a clock are many and alike, and each that is repeated takes a second. */
const CLOCK_MOVES_OF = 25

/** Causes of what the traffic itself asks the engine for, in the name of a worker and without a repeat. */
const OWN_CAUSES: ReadonlySet<string> = new Set(['traffic', 'checkout', 'test'])

/** Whether the caller of an append repeats what it does when the log is away: workers, and clients that send a key. */
const isRepeated = ({ events }: Append): boolean =>
  events.some(({ metadata: { actor, $causationId } }) => {
    if (actor === 'worker:payments') return false
    return actor.startsWith('key:') || (actor.startsWith('worker:') && !OWN_CAUSES.has($causationId))
  })

const isClockMove = ({ events }: Append): boolean => events.some(({ type }) => type === 'WorkspaceClockMoved')

/** A client that sees what follows from a request before it makes the next, and repeats what the log did not answer. */
const patientClient = (service: TestService, api: ApiClient): ApiClient => {
  const call: ApiClient['call'] = async (method, path, body, options = {}) => {
    await waitUntilSettled(service)
    const headers: Readonly<Record<string, string>> = method === 'GET' ? {} : { 'idempotency-key': randomUUID() }
    for (let tries = 0; ; tries++) {
      const answer = await api.call(method, path, body, { ...options, headers: { ...headers, ...options.headers } })
      // Ending a membership takes no key: a repeat finds it gone.
      if (answer.status === 404 && tries > 0 && method === 'DELETE') return { ...answer, status: 200 }
      if (answer.status !== 503) return answer
      await sleep(100)
    }
  }
  return {
    call,
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    put: (path, body, options) => call('PUT', path, body, options),
    delete: (path, options) => call('DELETE', path, undefined, options),
  }
}

const patient = (service: TestService): TestService => ({
  ...service,
  client: (token) => patientClient(service, service.client(token)),
  async tenant(options) {
    const tenant = await service.tenant(options)
    await waitUntilSettled(service)
    return {
      ...tenant,
      api: patientClient(service, tenant.api),
      withScopes: async (...asked) => patientClient(service, await tenant.withScopes(...asked)),
    }
  },
})

describe('a log of which answers are lost', function () {
  this.timeout(byForm(240_000, 1_800_000))

  interface Loss {
    /** Whether an append loses its answer, by its number. */
    readonly loses: (number: number) => boolean
    /** Whether moves of a clock do as well as everything else. */
    readonly clockMovesOf: number
    readonly awayFor?: () => number
  }
  const NONE: Loss = { loses: () => false, clockMovesOf: 1 }

  /** Makes traffic on a service of its own, and returns how it ended. */
  const run = async <T>({ loses, clockMovesOf, awayFor }: Loss, traffic: (service: TestService) => Promise<T>) => {
    let [number, lost] = [0, 0]
    const isLost = (request: Append): boolean => {
      number++
      if (!loses(number) || (isClockMove(request) && number % clockMovesOf > 0)) return false
      lost++
      return true
    }
    const service = await startTestService({}, (log) =>
      losingAnswers(log, { isRepeated, loses: isLost, ...(awayFor && { awayFor }) }),
    )
    const seen = await traffic(patient(service))
    await waitUntilSettled(service)
    const dead = () => service.background.stores.reactorStore.deadLetters({ limit: 10 })
    return {
      seen,
      dead,
      ends: () => endsOf(service.background.stores.readModels.live),
      said: `${lost} of ${number} answers lost`,
    }
  }

  type Ran<T> = Awaited<ReturnType<typeof run<T>>>

  /** What was tried in vain for a while is tried again later: it ends when it ends. */
  const expectSame = async <T>(lossy: Ran<T>, without: Ran<T>): Promise<void> => {
    const wanted = await without.ends()
    await eventually(async () => expect(differencesOf(await lossy.ends(), wanted)).to.deep.equal([]))
    expect(await lossy.dead()).to.deep.equal([])
    expect(lossy.seen).to.deep.equal(without.seen)
  }

  it('ends each mail, webhook, run, job, timer and clock as one that answers, once, though each append loses its answer', async () => {
    const day = async (service: TestService) => busyDay(service, await service.tenant({ test: true }))
    const without = await run(NONE, day)
    const { seed, below } = random(seedOfRun())
    const lossy = await run({ loses: () => true, clockMovesOf: byForm(20, 1), awayFor: () => below(4) * below(2) }, day)
    await expectSame(lossy, without)
    printFigures('lost-answers', `${lossy.said}, seed ${seed}`)
  })

  if (byForm(false, true))
    it('ends all traffic so, though each append loses its answer in one of the runs', async () => {
      const without = await run(NONE, variedTraffic)
      for (let turn = 0; turn < ONE_OF; turn++) {
        const loses = (number: number) => number % ONE_OF === turn
        const lossy = await run({ loses, clockMovesOf: CLOCK_MOVES_OF }, variedTraffic)
        await expectSame(lossy, without)
        printFigures('lost-answers', lossy.said)
      }
    })
})
