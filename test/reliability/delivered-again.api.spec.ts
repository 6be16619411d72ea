import { expect } from 'chai'
import pino from 'pino'
import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import { startWorkers } from '../../infra/runtime/workers.ts'
import { MemoryReactorStore } from '../support/memory/reactor-store.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { waitUntilSettled } from '../support/settled.ts'
import { variedTraffic } from '../support/traffic/traffic.ts'
import { soon } from '../workers/reactor/setting.ts'
import { printFigures } from './form.ts'

/** Checkpoints of a reactor that remembers nothing. */
const forgetful: Checkpoints = { get: () => -1, set: async () => undefined, all: () => new Map() }

describe('the whole log, delivered to the reactions once more', function () {
  this.timeout(240_000)
  let service: TestService
  before(async () => {
    service = await startTestService()
    await variedTraffic(service)
    await waitUntilSettled(service)
  })

  it('changes nothing: it causes no events and no deliveries', async () => {
    const { core, stores, reached, outbound } = service.background
    const last = await stores.log.lastPosition()
    const reactorStore = new MemoryReactorStore()
    const failures: unknown[] = []
    const told: string[] = []
    const listening: typeof outbound = {
      ...outbound,
      post: (request) => {
        told.push(request.url)
        return outbound.post(request)
      },
    }
    const again = await startWorkers(
      core,
      { ...stores, reactorStore, checkpoints: forgetful },
      reached,
      listening,
      pino({ level: 'silent' }),
      (error) => failures.push(error),
    )
    try {
      await soon(() => (again.reactor?.position ?? -1) >= last, 30_000)
      await waitUntilSettled(service)
      const added: string[] = []
      for await (const { type } of stores.log.readAll({ after: last })) added.push(type)
      expect(added).to.deep.equal([])
      expect(told).to.deep.equal([])
      expect(failures).to.deep.equal([])
      expect(await reactorStore.deadLetters({ limit: 10 })).to.deep.equal([])
    } finally {
      await again.stop()
    }
    printFigures('delivered-again', `${last + 1} events`)
  })
})
