import { mailRates, RATES_ID } from '../../domain/emails/rates/index.ts'
import { type MailRates, NO_RECEIVING, rateIn, receivingRatesIn } from '../../domain/emails/rates/notation.ts'
import { initialFieldsOf, recordOf } from '../../domain/kernel/model/fold.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'

/** How long rates are used before they are read anew. An order of the operator counts from then on. */
const READ_AFTER_MS = 1000

const open = recordOf(mailRates.model)

type Ordered = Pick<ReturnType<typeof open>, 'sending' | 'receiving' | 'warm_up'>

/** Returns the rates that are in force: those that the operator has ordered, and for the rest those of the settings. */
export const ratesInForce = (settings: MailRates, { sending, receiving, warm_up }: Ordered): MailRates => ({
  sending: sending === null ? settings.sending : rateIn(sending),
  receiving: receiving === null ? settings.receiving : (receivingRatesIn(receiving) ?? NO_RECEIVING),
  warmsUp: warm_up === null ? settings.warmsUp : warm_up === 'yes',
})

/** Returns what the operator has ordered. */
export const orderedRates = async (live: Pick<ReadModels, 'get'>): Promise<Ordered> =>
  open((await live.get(mailRates.name, RATES_ID)) ?? { id: RATES_ID, ...initialFieldsOf(mailRates.model) })

/** Returns a function that returns the rates in force: the same object while they stay the same. */
export const currentRates = (live: Pick<ReadModels, 'get'>, settings: MailRates): (() => Promise<MailRates>) => {
  let rates = settings
  let known = ''
  let readAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - readAt < READ_AFTER_MS) return rates
    const ordered = await orderedRates(live)
    readAt = performance.now()
    const text = JSON.stringify([ordered.sending, ordered.receiving, ordered.warm_up])
    if (text !== known) rates = ratesInForce(settings, ordered)
    known = text
    return rates
  }
}
