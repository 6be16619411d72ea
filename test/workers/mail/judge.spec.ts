import { expect } from 'chai'
import type { HandOver } from '../../../workers/mail/judge.ts'
import { judge, meetsAll } from '../../../workers/mail/judge.ts'
import { TRIED_FOR_MS } from '../../../workers/mail/waits.ts'

const BUSY: HandOver = { came: 'ours', reason: 'server_busy', reply: '421 4.3.2', atRecipient: true }
const START = Date.parse('2026-11-26T12:00:00Z')
const PAUSE_MS = 60_000

/** Tries a mail that always meets the same, whenever it is due. @returns how each attempt ended */
const tryOn = (result: HandOver) => {
  const attempts: { readonly at: number; readonly outcome: string; readonly pauses: boolean }[] = []
  for (let at = START; attempts.length < 200; ) {
    const delivery = { id: 1001, attempts: attempts.length, first_attempt_at: new Date(START).toISOString() }
    const pauses = meetsAll(delivery, result)
    const { outcome, retry_at } = judge(delivery, result, { at, keeps: false })
    attempts.push({ at, outcome, pauses })
    if (outcome !== 'deferred') break
    at = Math.max(Date.parse(retry_at!), pauses ? at + PAUSE_MS : 0)
  }
  return attempts
}

describe('what an attempt makes of a mail', () => {
  it('14 30, 41: a fault that meets one recipient for ever pauses the others twice, and then is that mail’s alone', () => {
    const attempts = tryOn(BUSY)
    expect(attempts.map(({ pauses }) => pauses).filter((pauses) => pauses)).to.have.length(2)
    expect(attempts.slice(0, 2).every(({ pauses }) => pauses)).to.equal(true)
    const last = attempts.at(-1)!
    expect(last.outcome).to.equal('failed')
    expect(last.at - START).to.be.within(TRIED_FOR_MS - 60 * 60_000, TRIED_FOR_MS)
    expect(attempts.length).to.be.below(90)
  })

  it('14 31: a fault that came before the recipient was named is nobody’s outcome, however long it lasts', () => {
    const result: HandOver = { came: 'ours', reason: 'login', reply: '535 5.7.8' }
    for (const attempts of [0, 5, 500]) {
      const delivery = { id: 1001, attempts, first_attempt_at: new Date(START).toISOString() }
      expect(meetsAll(delivery, result)).to.equal(true)
      const settled = judge(delivery, result, { at: START + 10 * TRIED_FOR_MS, keeps: false })
      expect(settled).to.deep.equal({ delivery_id: 1001, outcome: 'returned' })
    }
  })
})
