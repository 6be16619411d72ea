import { expect } from 'chai'
import { Breaker } from '../../../workers/webhooks/breaker.ts'
import { ConcurrencyLimit } from '../../../workers/webhooks/pace.ts'

const failing = (breaker: Breaker, times: number, at: number): boolean[] =>
  Array.from({ length: times }, () => breaker.failed(at))

describe('the circuit breaker of an endpoint', () => {
  it('opens with the fifth failure in a row and not before', () => {
    const breaker = new Breaker(false)
    expect(failing(breaker, 4, 0)).to.deep.equal([false, false, false, false])
    expect(breaker.permits(0, 3)).to.equal(true)
    breaker.succeeded()
    expect(failing(breaker, 5, 7)).to.deep.equal([false, false, false, false, true])
    expect(breaker.permits(7, 0)).to.equal(false)
    expect(breaker.failingSince).to.equal(7)
  })

  it('lets a single attempt decide after a pause, which doubles up to ten minutes', () => {
    const breaker = new Breaker(false)
    failing(breaker, 5, 0)
    let opened = 0
    for (const pause of [10, 20, 40, 80, 160, 320, 600, 600]) {
      expect(breaker.permits(opened + pause * 1000 - 1, 0), `${pause} s`).to.equal(false)
      opened += pause * 1000
      expect(breaker.permits(opened, 0), `${pause} s`).to.equal(true)
      expect(breaker.permits(opened, 1)).to.equal(false)
      expect(breaker.failed(opened)).to.equal(true)
    }
    breaker.succeeded()
    expect(breaker.permits(opened, 50)).to.equal(true)
  })

  it('begins with a single attempt when the endpoint failed before a restart', () => {
    const breaker = new Breaker(true)
    expect(breaker.permits(0, 0)).to.equal(true)
    expect(breaker.permits(0, 1)).to.equal(false)
  })

  it('does not reopen for attempts that were running when it opened', () => {
    const breaker = new Breaker(false)
    failing(breaker, 5, 0)
    expect(failing(breaker, 3, 100)).to.deep.equal([false, false, false])
    expect(breaker.permits(10_000, 0)).to.equal(true)
  })

  it('pauses for as long as the receiver asks, an hour at most', () => {
    const breaker = new Breaker(false)
    breaker.hold(0, 5000)
    expect(breaker.permits(4999, 0)).to.equal(false)
    expect(breaker.permits(5000, 0)).to.equal(true)
    breaker.hold(5000, 1e12)
    expect(breaker.permits(5000 + 3_600_000, 0)).to.equal(true)
  })
})

describe('the pace of an endpoint', () => {
  it('rises with every success up to a bound, and halves with every failure down to one', () => {
    const pace = new ConcurrencyLimit()
    expect(pace.limit).to.equal(4)
    for (let i = 0; i < 100; i++) pace.succeeded()
    expect(pace.limit).to.equal(64)
    pace.failed()
    expect(pace.limit).to.equal(32)
    for (let i = 0; i < 20; i++) pace.failed()
    expect(pace.limit).to.equal(1)
  })
})
