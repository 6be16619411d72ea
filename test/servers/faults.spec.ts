import { expect } from 'chai'
import { patience, printFigures } from '../reliability/form.ts'
import { isAcknowledged, type Ledger } from '../reliability/ledger.ts'
import { expectLastChanges, expectOnce, findMarks, settingFor } from '../reliability/outcome.ts'
import { type Random, random, seedOfRun } from '../support/random.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { type Fault, faultsOf } from './fault.ts'
import { type Load, startLoad } from './load.ts'
import { missingNode } from './node.ts'
import { type Processes, startProcesses } from './processes.ts'
import { expectSoundLog, expectTold, listenForContacts, untilListed } from './verify.ts'

const WRITERS = 6
/** Milliseconds from the end of a fault until the log accepts a write, in addition to the usual duration of a write. */
const TAKEN_WITHIN_MS = 2000
/** Time that a write waits for its documents before it is answered without them. After a fault of the projector, each write waits. */
const DOCUMENTS_WITHIN_MS = 2000
/** The usual duration of a write grows, because FerretDB scans whole collections for a number. It is measured as the fastest of this many writes. */
const USUAL_OF = 5

/** A fault and the first write after it, in milliseconds: the total, and the part beyond the usual duration. */
interface Took {
  readonly fault: Fault
  readonly servedMs: number
  readonly lateMs: number
}

/** Median and maximum of the durations. */
const spread = (all: readonly number[]): string => {
  const sorted = all.map(Math.round).sort((one, other) => one - other)
  return `median ${sorted[sorted.length >> 1]} ms, at most ${sorted.at(-1)} ms`
}

describe('the service in divided roles on servers, with faults while it writes', function () {
  this.timeout(patience * 3)
  if (missingNode) {
    it.skip(missingNode)
    return
  }
  let processes: Processes
  let receiver: Receiver
  let chance: Random
  let load: Load
  let ledger: Ledger
  const took: Took[] = []
  const without: number[] = []

  before(async () => {
    chance = random(seedOfRun())
    receiver = await startReceiver()
    processes = await startProcesses()
    await listenForContacts(processes.target, receiver)
    load = startLoad(processes.target, await settingFor(processes.target), WRITERS, chance)
  })
  afterEach(function () {
    if (this.currentTest?.state !== 'failed') return
    for (const { role, life } of Object.values(processes.members))
      printFigures(`${role} said`, life.said().slice(-3000))
  })
  after(async () => {
    await load?.stop()
    await processes?.stop()
    await receiver?.close()
  })

  it('serves writes again as soon as what failed is back', async () => {
    for (const fault of faultsOf(chance)) {
      without.push(await load.untilServed())
      if (process.env.FAULTS_SAY) printFigures('fault', fault.name)
      await fault.befall(processes)
      const servedMs = await load.untilServed()
      const lateMs = servedMs - Math.min(...without.slice(-USUAL_OF))
      took.push({ fault, servedMs, lateMs })
      if (process.env.FAULTS_SAY) printFigures(fault.name, `${Math.round(servedMs)} ms, ${Math.round(lateMs)} ms late`)
    }
    printFigures('served without a fault', spread(without))
    printFigures('served after a fault', `${took.length} faults; ${spread(took.map(({ servedMs }) => servedMs))}`)
    const bound = took.filter(({ fault }) => fault.isBound)
    printFigures('later than without', `${spread(bound.map(({ lateMs }) => lateMs))}, where no process had to start`)
    const late = bound.filter(({ lateMs }) => lateMs > TAKEN_WITHIN_MS + DOCUMENTS_WITHIN_MS)
    expect(late.map(({ fault, lateMs }) => `${fault.name}: ${Math.round(lateMs)} ms late`)).to.deep.equal([])
  })

  it('answers nothing but successes and 503', async () => {
    ledger = await load.stop()
    expect(load.odd).to.deep.equal([])
    printFigures('answers', `${load.unknownYet} times a record whose document was not there yet was not known`)
  })

  it('ends no process', () => {
    expect(processes.gone).to.deep.equal([])
  })

  it('has every acknowledged write once, and the last change of each contact', async () => {
    await untilListed(processes.target, ledger)
    const seen = await findMarks(processes.target)
    expectOnce(ledger, seen)
    expectLastChanges(ledger, seen)
    printFigures('writes', `${ledger.filter(isAcknowledged).length} of ${ledger.length} acknowledged, each there once`)
  })

  it('has sent a webhook for every contact, and repeated it only with the same id', async () => {
    const again = await expectTold(ledger, receiver)
    printFigures('webhooks', `${receiver.received.length} deliveries, ${again} of them repeated under their id`)
  })

  it('has the documents that a rebuild gives, and streams without a gap', async () => {
    printFigures('log', `${await expectSoundLog(processes)} events`)
  })
})
