import { expect } from 'chai'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { differencesOf, endsOf } from './ends.ts'

const ends = (documents: Readonly<Record<string, readonly Document[]>>) =>
  endsOf({ find: async (collection) => [...(documents[collection] ?? [])] })

const taken = (...counts: readonly number[]) => ({
  'emails/mailing': [{ id: 1, takings: counts.map((count) => ({ at: '2026-01-01T00:00:00.000Z', count })) }],
})
const sent = (sends: Readonly<Record<string, number>>) => ({
  'emails/sum': Object.entries(sends).map(([id, count]) => ({ id, minutes: { 57: { sends: count } } })),
})
const key = (hint: string) => ({ api_key: [{ id: 1, hint }] })
const order = (status: string) => ({ order: [{ id: 1, status }] })

const differences = async (...[found, wanted]: Parameters<typeof ends>[0][]) =>
  differencesOf(await ends(found ?? {}), await ends(wanted ?? {}))

describe('ends that runs are compared by', () => {
  it('are the same however quickly mails went, whatever hour they went in, and whatever chance spells', async () => {
    expect(await differences(taken(5, 2, 2, 2, 1), taken(5, 7))).to.deep.equal([])
    const [over, within] = [{ 'step-2:minutes:9': 3, 'step-2:minutes:10': 2 }, { 'step-3:minutes:9': 5 }]
    expect(await differences(sent(over), sent(within))).to.deep.equal([])
    expect(await differences(key('mr_efyf'), key('mr_0XAo'))).to.deep.equal([])
  })

  it('differ by what was done twice or never, and are named whole', async () => {
    expect(await differences(taken(5, 8), taken(5, 7))).to.deep.equal([
      'emails/mailing takings: 12 mails: 0 in place of 1',
      'emails/mailing takings: 13 mails: 1 in place of 0',
    ])
    expect(await differences(sent({ 'step-2:minutes:9': 6 }), sent({ 'step-2:minutes:9': 5 }))).to.deep.equal([
      'emails/sum step-:minutes: sends: 6 in place of 5',
    ])
    const wrong = await differences(order('open'), order('paid'))
    expect(() => expect(wrong).to.deep.equal([])).to.throw('order status: open: 1 in place of 0')
  })
})
