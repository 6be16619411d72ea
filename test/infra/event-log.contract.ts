import { appending } from './event-log/appending.ts'
import { claiming } from './event-log/claiming.ts'
import { counting } from './event-log/counting.ts'
import { modelled } from './event-log/model.ts'
import { reading } from './event-log/reading.ts'
import type { OpenLog } from './event-log/setting.ts'
import { subscribing } from './event-log/subscribing.ts'

/**
 * Contract of every event log. Tests use unique names and read only after the position at their start, so that they can share one
 * server.
 * @param open called before each test
 */
export function eventLogContract(name: string, open: () => Promise<OpenLog>): void {
  describe(`${name} as an event log`, () => {
    let current: OpenLog
    const setting = () => current
    beforeEach(async () => {
      current = await open()
    })
    afterEach(() => current.cleanup())

    describe('appending', () => appending(setting))
    describe('claims', () => claiming(setting))
    describe('counters', () => counting(setting))
    describe('reading', () => reading(setting))
    describe('subscriptions', () => subscribing(setting))
    describe('as a whole', () => modelled(setting))
  })
}
