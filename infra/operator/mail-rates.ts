import { mailRates, RATES_ID } from '../../domain/emails/rates/index.ts'
import { type MailRate, type MailRates, rateIn, receivingRatesIn } from '../../domain/emails/rates/notation.ts'
import { daysOf, sendingDomains } from '../../domain/emails/rates/sent-by-day.ts'
import { dayOf, limitOn } from '../../domain/emails/rates/warm-up.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { orderedRates, ratesInForce } from '../../workers/mail/rates.ts'
import { carryOut, type OperatorEngine } from './carry-out.ts'

interface RatesDeps extends OperatorEngine {
  readonly live: ReadModels
  readonly now: () => number
  /** Rates of the settings of this process. */
  readonly rates: MailRates
}

/** Rates as the operator writes them. Absent: stays as it is. `default`: as the settings say. */
export interface WantedRates {
  readonly sending?: string
  readonly receiving?: string
  readonly warm_up?: string
}

/** Sending domain that is warmed up, or was. */
export interface ShownDomain {
  readonly name: string
  readonly today: number
  /** `null`: it is warm. */
  readonly limit: number | null
}

export interface ShownRates {
  readonly sending: string
  readonly receiving: string
  readonly warm_up: 'yes' | 'no'
  readonly domains: readonly ShownDomain[]
}

const NONE = 'none'
const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

const rateText = ({ mails, perMs }: MailRate): string => {
  const [unit, ms] = UNITS.find(([, one]) => perMs % one === 0) ?? ['s', 1000]
  return `${mails}/${perMs / ms}${unit}`
}

const shown = ({ sending, receiving: { others, of }, warmsUp }: MailRates): Omit<ShownRates, 'domains'> => {
  const receivers = [
    ...(others ? [rateText(others)] : []),
    ...[...of].map(([name, rate]) => `${name}=${rateText(rate)}`),
  ]
  return {
    sending: sending ? rateText(sending) : NONE,
    receiving: receivers.join(', ') || NONE,
    warm_up: warmsUp ? 'yes' : 'no',
  }
}

const CHECKS: Readonly<
  Record<keyof WantedRates, { readonly isOne: (text: string) => boolean; readonly says: string }>
> = {
  sending: { isOne: (text) => rateIn(text) !== undefined, says: 'must be such as 600/1m, for a day at most' },
  receiving: {
    isOne: (text) => receivingRatesIn(text) !== undefined,
    says: 'must be such as 300/1m,mail.example=60/1m, for a day at most',
  },
  warm_up: { isOne: (text) => text === 'yes' || text === 'no', says: 'must be yes or no' },
}

/** Returns what is stored of an order. @throws {Refusal} invalid */
const ordered = (wanted: WantedRates): JsonObject => {
  const stored: Record<string, string | null> = {}
  for (const name of ['sending', 'receiving', 'warm_up'] as const) {
    const text = wanted[name]
    if (text === undefined) continue
    const { isOne, says } = CHECKS[name]
    const isNone = text === NONE && name !== 'warm_up'
    if (text !== 'default' && !isNone && !isOne(text)) throw refuse.invalid(`${name} ${says}, or default`, name)
    stored[name] = text === 'default' ? null : text
  }
  return stored
}

/** Returns the operator's actions on the rates of mail. */
export const operatorRates = (deps: RatesDeps) => {
  const { live, now } = deps
  return {
    /** Returns the rates in force, with what sending domains have sent today. */
    async show(): Promise<ShownRates> {
      const rates = ratesInForce(deps.rates, await orderedRates(live))
      const today = dayOf(now())
      const domains: ShownDomain[] = []
      for (const name of await sendingDomains(live)) {
        const days = await daysOf(name, live)
        if (days.size > 0) domains.push({ name, today: days.get(today) ?? 0, limit: limitOn(today, days) ?? null })
      }
      return { ...shown(rates), domains }
    },

    /** Orders rates, which count within a second. @throws {Refusal} invalid */
    async order(wanted: WantedRates): Promise<void> {
      const fields = ordered(wanted)
      const isKnown = (await live.get(mailRates.name, RATES_ID)) !== undefined
      const asked = ask(mailRates.aggregate, RATES_ID, isKnown ? 'change' : 'create', fields)
      await carryOut(deps, asked, {}, now())
    },
  }
}

export type OperatorRates = ReturnType<typeof operatorRates>
