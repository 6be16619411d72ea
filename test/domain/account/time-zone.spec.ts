import { expect } from 'chai'
import { parseFields } from '../../../domain/kernel/model/parse.ts'
import { timeZone } from '../../../domain/resources/attributes/time-zone.ts'
import { ids } from '../../support/projection.ts'

const parsed = (sent: unknown) =>
  parseFields({ time_zone: timeZone({ default: null }) }, { time_zone: sent }, 'change', { ids })

describe('time zone', () => {
  it('is known by its human-readable name and by that of the tz database, and kept as it was sent', () => {
    for (const name of ['Eastern Time (US & Canada)', "Nuku'alofa", 'Samoa', 'UTC', 'America/New_York', 'Europe/Kyiv'])
      expect(parsed(name)).to.deep.equal({ values: { time_zone: name }, details: [] })
  })

  it('can be none', () => {
    for (const none of [null, '']) expect(parsed(none)).to.deep.equal({ values: { time_zone: null }, details: [] })
  })

  it('is refused with the name of the field when it is unknown', () => {
    for (const unknown of [
      'Nowhere',
      'Mars/Olympus',
      'eastern time (us & canada)',
      '+02:00',
      ' London',
      'London, Lisbon',
      '0',
    ])
      expect(parsed(unknown).details, unknown).to.deep.equal([
        { field: 'time_zone', code: 'inclusion', message: 'Time zone is not a known time zone' },
      ])
    expect(parsed(7).details[0]?.code).to.equal('type')
  })
})
