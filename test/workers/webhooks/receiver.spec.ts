import { expect } from 'chai'
import type { EndpointRecord } from '../../../domain/webhooks/endpoint/model.ts'
import type { AttemptResponse } from '../../../workers/webhooks/attempt.ts'
import { Receiver } from '../../../workers/webhooks/receiver.ts'

const answered = (some: Partial<AttemptResponse> = {}): AttemptResponse => ({
  delivered: true,
  gone: false,
  holdFor: null,
  ...some,
})
const failed = answered({ delivered: false })

describe('the state of a receiver', () => {
  let noted: string[]
  let canNote: boolean
  const note = (name: string) => async () => {
    noted.push(name)
    return canNote
  }
  const receiver = (failing_since: string | null = null) =>
    new Receiver({ id: 1, failing_since } as EndpointRecord, {
      failing: note('failing'),
      recovered: note('recovered'),
      gone: note('gone'),
    })
  beforeEach(() => {
    noted = []
    canNote = true
  })

  it('lets more and more through while it works, and never more than 64', () => {
    const one = receiver()
    expect(one.limit(0)).to.equal(4)
    for (let n = 0; n < 10; n++) one.judge(answered(), n)
    expect(one.limit(10)).to.equal(14)
    for (let n = 0; n < 200; n++) one.judge(answered(), n)
    expect(one.limit(200)).to.equal(64)
    expect(noted).to.deep.equal([])
  })

  it('lets nothing through after five failures, then one at a time, and everything again when one succeeds', () => {
    const one = receiver()
    for (let n = 0; n < 5; n++) one.judge(failed, 1000)
    expect(noted).to.deep.equal(['failing'])
    expect(one.limit(1001)).to.equal(0)
    expect(one.limit(10_999)).to.equal(0)
    expect(one.limit(11_000)).to.equal(1)
    one.judge(failed, 11_000)
    expect(one.limit(30_000)).to.equal(0)
    expect(one.limit(31_000)).to.equal(1)
    one.judge(answered(), 31_000)
    expect(one.limit(31_000)).to.be.greaterThan(1)
    expect(noted).to.deep.equal(['failing', 'failing', 'recovered'])
  })

  it('begins with one attempt when it is known to fail', () => {
    const one = receiver('2026-01-01T00:00:00.000Z')
    expect(one.limit(0)).to.equal(1)
    one.judge(answered(), 0)
    expect(noted).to.deep.equal(['recovered'])
  })

  it('leaves it alone for as long as it asks', () => {
    const one = receiver()
    one.judge(answered({ delivered: false, holdFor: 3000 }), 1000)
    expect(one.limit(3999)).to.equal(0)
    expect(one.limit(4000)).to.be.greaterThan(0)
  })

  it('lets nothing through once it is gone, unless that could not be recorded', async () => {
    const one = receiver()
    one.judge(answered({ delivered: false, gone: true }), 0)
    await Promise.resolve()
    expect(one.limit(1)).to.equal(0)
    canNote = false
    const other = receiver()
    other.judge(answered({ delivered: false, gone: true }), 0)
    expect(other.limit(1)).to.equal(0)
    await new Promise((resolve) => setImmediate(resolve))
    expect(other.limit(1)).to.be.greaterThan(0)
    expect(noted).to.deep.equal(['gone', 'gone'])
  })
})
