import { expect } from 'chai'
import { isDelivered, nextAttempt, parseRetryAfter } from '../../../domain/webhooks/retry.ts'

const SECOND = 1000
const HOUR = 3_600_000
const since = Date.parse('2026-03-01T09:00:00.000Z')

/** Waits before each further attempt when every attempt fails at once. */
const waits = (jitter: number): number[] => {
  const found: number[] = []
  let at = since
  for (let attempts = 1; ; attempts++) {
    const due = nextAttempt({ attempts, since, at, retryAfter: null, jitter })
    if (due === null) return found
    found.push((due - at) / SECOND)
    at = due
  }
}

describe('retries', () => {
  it('wait as the contract says, then a day at a time, for five days', () => {
    expect(waits(0)).to.deep.equal([1, 15, 60, 300, 900, 3600, 43_200, 86_400, 86_400, 86_400, 86_400])
  })

  it('are spread by up to a tenth, never earlier', () => {
    expect(waits(1).slice(0, 4)).to.deep.equal([1.1, 16.5, 66, 330])
    for (const wait of waits(0.5)) expect(wait).to.be.at.least(1)
  })

  it('wait as long as the receiver asks, a day at most', () => {
    const asked = (retryAfter: number) => nextAttempt({ attempts: 1, since, at: since, retryAfter, jitter: 0 })! - since
    expect(asked(120_000)).to.equal(120_000)
    expect(asked(10)).to.equal(1000)
    expect(asked(1000 * HOUR)).to.equal(24 * HOUR)
  })

  it('understand Retry-After in seconds and as a date', () => {
    const now = Date.parse('2026-03-01T09:00:00.000Z')
    expect(parseRetryAfter('120', now)).to.equal(120_000)
    expect(parseRetryAfter('Sun, 01 Mar 2026 09:01:00 GMT', now)).to.equal(60_000)
    expect(parseRetryAfter('Sun, 01 Mar 2026 08:00:00 GMT', now)).to.equal(0)
    for (const odd of [undefined, '', 'soon', '-5', '1.5', '99999999999999', 'Sun, soon', '2026-03-01'])
      expect(parseRetryAfter(odd, now)).to.equal(null)
  })

  it('are over with the statuses of the contract only', () => {
    const delivered = Array.from({ length: 500 }, (_, index) => index + 100).filter(isDelivered)
    expect(delivered).to.deep.equal([200, 201, 202, 203, 204, 205, 206, 207, 226])
  })
})
