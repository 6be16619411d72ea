import { expect } from 'chai'
import { hasMechanism, joinedSpf, mergedSpf } from '../../../domain/emails/domain/records.ts'

const OURS = 'include:mail.operator.example'

describe('the SPF record of a sending domain', () => {
  it('names us only before all, behind which receivers read nothing (RFC 7208, 5.1)', () => {
    expect(hasMechanism(`v=spf1 mx -all ${OURS}`, OURS)).to.equal(false)
    expect(hasMechanism(`v=spf1 mx ~ALL ${OURS}`, OURS)).to.equal(false)
    for (const record of [`v=spf1 mx ${OURS} -all`, `v=spf1 +${OURS}`, `v=spf1 redirect=a.example ${OURS}`])
      expect(hasMechanism(record, OURS), record).to.equal(true)
  })

  it('is shown with what we need in front of all, and nothing twice', () => {
    expect(mergedSpf(`v=spf1 mx -all ${OURS}`, OURS)).to.equal(`v=spf1 mx ${OURS} -all`)
    expect(mergedSpf(`v=spf1 ${OURS} ?all`, OURS)).to.equal(`v=spf1 ${OURS} ?all`)
  })

  it('is shown with all senders of several, and ends as the first does', () => {
    const joined = joinedSpf(['v=spf1 a include:one.example -all', 'v=spf1 a include:two.example ~all'])
    expect(joined).to.equal('v=spf1 a include:one.example include:two.example -all')
    expect(mergedSpf(joined, OURS)).to.equal(`v=spf1 a include:one.example include:two.example ${OURS} -all`)
  })
})
