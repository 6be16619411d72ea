import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { SUMMARY_SOURCE } from '../../../api/pages/client/summary.ts'
import { moneyIn } from '../../../domain/emails/public.ts'
import { scaleOf } from '../../../domain/kernel/values/money.ts'
import { priceText, unitsOnPages } from '../../../domain/orders/public.ts'

/** Writes an amount as the script of pages does. */
const onPage: (units: number, currency: string) => string = runInNewContext(
  `(() => {${SUMMARY_SOURCE}; return money})()`,
  {
    document: { documentElement: { lang: 'en' } },
    Intl,
  },
)

const ONCE: Omit<Parameters<typeof priceText>[0], 'amount' | 'currency'> = {
  ...{ payment_type: 'one_time', interval: null, interval_count: null, duration: null, trial_interval: null },
  ...{ trial_duration: null, trial_amount: '0', setup_amount: null },
}

describe('amounts on pages and in mails', () => {
  it('are written in one way, in every currency', () => {
    for (const currency of Intl.supportedValuesOf('currency'))
      for (const whole of ['0', '12', '1990', '-1234567']) {
        const amount = scaleOf(currency) === 0 ? whole : `${whole}.${'0'.repeat(scaleOf(currency))}`
        const written = priceText({ ...ONCE, amount, currency })
        expect(onPage(unitsOnPages(amount, currency), currency), `${amount} ${currency}`).to.equal(written)
        expect(moneyIn('en', amount, currency), `${amount} ${currency}`).to.equal(written)
        expect(written.replace(/\D/g, ''), currency).to.equal(amount.replace(/\D/g, ''))
      }
  })

  it('keep the parts of a unit that pages count', () => {
    expect(
      ['USD', 'HUF', 'KWD'].map((code) => onPage(unitsOnPages('18.60', code), code).replace(/\s/g, ' ')),
    ).to.deep.equal(['$18.60', 'HUF 18.60', 'KWD 18.600'])
  })
})
