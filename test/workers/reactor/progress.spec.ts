import { expect } from 'chai'
import { MAX_LISTED_FAILURES } from '../../../domain/resources/jobs/progress.ts'
import { advanceProgress, milestones, readProgress } from '../../../workers/reactor/progress.ts'

const none = readProgress({ id: 1 })
const at = (performed_count: number) => ({ ...none, performed_count })

describe('progress of a job', () => {
  it('is an event at every twentieth, at most once a second', () => {
    let now = 0
    const isMilestone = milestones(100_000, none, () => now)
    let events = 0
    for (let performed = 100; performed <= 100_000; performed += 100) {
      now += 250
      if (isMilestone(at(performed))) events++
    }
    expect(events).to.equal(20)
    const inAHurry = milestones(100_000, none, () => now)
    expect(inAHurry(at(50_000))).to.equal(false)
    now += 1000
    expect(inAHurry(at(50_000))).to.equal(true)
    expect(inAHurry(at(60_000))).to.equal(false)
  })

  it('is not recorded while no contact matches, for any time', () => {
    let now = 0
    const isMilestone = milestones(0, none, () => now)
    now += 10_000
    expect(isMilestone(none)).to.equal(false)
  })

  it('continues from the recorded progress, and counts failures beyond those it names', () => {
    const ids = Array.from({ length: MAX_LISTED_FAILURES - 1 }, (_, index) => index + 1)
    const before = readProgress({ id: 1, performed_count: 5000, failed_count: 999, failed_ids: ids, cursor: 6000 })
    const after = advanceProgress(
      before,
      [6001, 6002, 6003, 6004],
      [6001, 6002, 6003],
      'Not found of a@b.example',
      6004,
    )
    expect(after).to.include({ performed_count: 5004, failed_count: 1002, cursor: 6004 })
    expect(after.failure_reason).to.equal('Not found of [address]')
    expect(after.failed_ids).to.deep.equal([...ids, 6001])
  })
})
