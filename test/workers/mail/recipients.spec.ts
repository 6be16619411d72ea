import { expect } from 'chai'
import { type Contact, mailboxesOf, type Recipient } from '../../../workers/mail/recipients.ts'

const ADDRESSES = [
  'Ann@Bücher.example',
  'ann@xn--bcher-kva.example',
  'ANN@bücher.example',
  'bob@bücher.example',
  '',
  '',
]

describe('where the mails of a mailing go', () => {
  it('14 9: addresses that differ in case or in the spelling of their domain are one mailbox, which gets one copy', () => {
    const deliveries = ADDRESSES.map((_, index) => ({ id: index + 1 }))
    const recipients = new Map(
      ADDRESSES.map((email_address, index): [number, Recipient] => [
        index + 1,
        { contact: { email_address } as Contact },
      ]),
    )
    const { domains, second } = mailboxesOf(deliveries, recipients)
    expect([...second]).to.deep.equal([2, 3])
    expect(new Set([1, 2, 3, 4].map((id) => domains.get(id)))).to.deep.equal(new Set(['bücher.example']))
    expect(domains.get(5)).to.equal('')
  })
})
