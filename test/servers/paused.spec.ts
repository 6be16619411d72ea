import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { printFigures } from '../reliability/form.ts'
import { isAcknowledged } from '../reliability/ledger.ts'
import { expectLastChanges, expectOnce, findMarks, settingFor } from '../reliability/outcome.ts'
import { random, seedOfRun } from '../support/random.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { startLoad } from './load.ts'
import { missingNode } from './node.ts'
import { type Member, type Processes, ROLES, type Role, startProcesses } from './processes.ts'
import { expectSoundLog, expectTold, listenForContacts, untilListed } from './verify.ts'

const WRITERS = 4
/** Longer than a lease (8 s) and the time another process needs to notice its end. */
const PAUSED_MS = 14_000
/** Time in which both processes may believe that they hold the lease. */
const AWAKE_MS = 4000
/** Longer than the lease of a node number, which is two minutes. */
const PAUSED_API_MS = 125_000

/**
 * A writer that is paused past the end of its lease is not fenced. When it wakes it continues with old data and with writes in flight.
 * Its writes are then either refused (expected revision, position guard) or identical to those of its successor (derived ids).
 */
describe('a process that sleeps past the end of its lease, and wakes', function () {
  this.timeout(600_000)
  if (missingNode) {
    it.skip(missingNode)
    return
  }
  let processes: Processes
  let receiver: Receiver
  let spare: Partial<Record<Role, Member>>

  beforeEach(async () => {
    receiver = await startReceiver()
    processes = await startProcesses()
    spare = {}
    await listenForContacts(processes.target, receiver)
  })
  afterEach(async () => {
    for (const role of ROLES) processes.members[role].signal('SIGCONT')
    await processes.stop()
    await receiver.close()
  })

  const sleepAndWake = async (role: Role, times: number): Promise<void> => {
    spare[role] = await processes.join(role)
    const chance = random(seedOfRun())
    const load = startLoad(processes.target, await settingFor(processes.target), WRITERS, chance)
    for (let time = 0; time < times; time++) {
      await sleep(500 + chance.below(1000))
      // It is not known which process holds the lease, so each sleeps once and the other takes over.
      const member = time % 2 === 0 ? processes.members[role] : spare[role]
      member.signal('SIGSTOP')
      await sleep(PAUSED_MS)
      member.signal('SIGCONT')
      await sleep(AWAKE_MS)
    }
    const ledger = await load.stop()
    expect(load.odd).to.deep.equal([])
    await untilListed(processes.target, ledger)
    const seen = await findMarks(processes.target)
    expectOnce(ledger, seen)
    expectLastChanges(ledger, seen)
    const again = await expectTold(ledger, receiver)
    expect(processes.gone).to.deep.equal([])
    const events = await expectSoundLog(processes)
    const count = ledger.filter(isAcknowledged).length
    printFigures(
      `${role} paused`,
      `${times} times; ${count} writes, each once; ${again} deliveries repeated; ${events} events`,
    )
  }

  it('as a worker: does nothing that its successor has not done', () => sleepAndWake('worker', 2))

  it('as a projector: leaves the documents that a rebuild gives', () => sleepAndWake('projector', 2))

  it('as an api: mints no id that the process with its number has minted', async () => {
    const [sleeper, { target }] = [processes.members.api, processes]
    const contacts = `/workspaces/${target.workspaceId}/contacts`
    const headers = { authorization: `Bearer ${target.token}`, 'content-type': 'application/json' }
    const create = async ({ life }: Member, name: string): Promise<number> => {
      const body = JSON.stringify({ contact: { first_name: name } })
      const answer = await fetch(`${life.url}/api/v2${contacts}`, { method: 'POST', headers, body })
      const { id } = (await answer.json()) as { readonly id?: number }
      return id ?? -answer.status
    }
    const before = await Promise.all(Array.from({ length: 20 }, (_, number) => create(sleeper, `before ${number}`)))
    // Requests in flight when it falls asleep: they continue after its lease has expired, or their connection has timed out when it wakes.
    const under = Promise.allSettled(Array.from({ length: 20 }, (_, number) => create(sleeper, `under ${number}`)))
    sleeper.signal('SIGSTOP')
    await sleep(PAUSED_API_MS)
    const other = await processes.join('api')
    const during = await Promise.all(Array.from({ length: 40 }, (_, number) => create(other, `during ${number}`)))
    sleeper.signal('SIGCONT')
    const [late, more] = await Promise.all([
      Promise.all(Array.from({ length: 40 }, (_, number) => create(sleeper, `late ${number}`))),
      Promise.all(Array.from({ length: 40 }, (_, number) => create(other, `more ${number}`))),
    ])
    const answered = (await under).flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    const ids = [...before, ...answered, ...during, ...late, ...more]
    const made = ids.filter((id) => id > 0)
    expect(
      ids.filter((id) => id < 0 && id !== -503),
      'answers that are neither ids nor 503',
    ).to.deep.equal([])
    expect(new Set(made).size).to.equal(made.length)
    printFigures('api paused', `${made.length} of ${ids.length} creates answered, all ids different`)
    // Their webhook deliveries are recorded and shown.
    await receiver.until(made.length, undefined, 60_000)
    await sleep(AWAKE_MS)
    await expectSoundLog(processes)
  })
})
