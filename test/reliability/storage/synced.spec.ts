import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { logFile } from '../../../infra/log-db/store.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { send } from '../ledger.ts'
import { type SuiteDirectories, startServiceProcess, suiteDirectories, targetOf } from '../service-process.ts'
import { answeredRequests, canTrace, tracing, withLateSyncs, withoutSyncs } from '../strace.ts'

const POSTS = byForm(60, 1000)

describe('an answer to a write', function () {
  this.timeout(patience)
  let places: SuiteDirectories
  let file: string
  let trace: readonly string[]

  before(async function () {
    places = suiteDirectories('synced')
    if (!canTrace()) {
      console.log('      skipped: there is no strace here, or it may not watch')
      this.skip()
    }
    const data = realpathSync(places.place())
    file = logFile(data)
    const output = join(places.place(), 'trace')
    const life = await startServiceProcess(data, { wrap: tracing(output) })
    const target = targetOf(life)
    for (let number = 0; number < POSTS; number++) {
      const body = { contact: { first_name: `Synced ${number}` } }
      const answer = await send(target, 'POST', `/workspaces/${target.workspaceId}/contacts`, { body })
      expect(answer?.status).to.equal(201)
    }
    expect(await life.stop()).to.equal(0)
    trace = await finished(output)
  })
  after(() => places.clear())

  /** Waits until the trace is complete: the tracer exits a little after the traced program. */
  const finished = async (output: string): Promise<readonly string[]> => {
    for (let before = -1; ; await new Promise((go) => setTimeout(go, 300))) {
      const text = existsSync(output) ? readFileSync(output, 'utf8') : ''
      if (text.length > 0 && text.length === before) return text.split('\n')
      before = text.length
    }
  }

  it('goes out when the write has been forced to disk', () => {
    const answered = answeredRequests(trace, file)
    expect(answered).to.have.length(POSTS)
    expect(answered.filter(({ synced }) => !synced)).to.deep.equal([])
    printFigures('syncs', `${POSTS} writes in turn: each forced to disk before its answer`)
  })

  it('would fail this check otherwise: with a trace without syncs, or with late ones', () => {
    for (const other of [withoutSyncs(trace), withLateSyncs(trace)]) {
      const answered = answeredRequests(other, file)
      expect(answered).to.have.length(POSTS)
      expect(answered.filter(({ synced }) => synced)).to.deep.equal([])
    }
  })
})
