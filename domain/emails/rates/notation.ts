import { domainPart, mailboxOf } from '../../kernel/values/mailbox.ts'
import { TAKINGS_KEPT_MS } from '../mailing/takings-kept.ts'

/** Mails within a time. */
export interface MailRate {
  readonly mails: number
  readonly perMs: number
}

/** Rates of receiving domains. */
export interface ReceivingRates {
  /** Rate of each domain that has none of its own; `undefined`: any number. */
  readonly others: MailRate | undefined
  readonly of: ReadonlyMap<string, MailRate>
}

/** How fast mail goes out. */
export interface MailRates {
  /** Rate of each sending domain; `undefined`: any number. */
  readonly sending: MailRate | undefined
  readonly receiving: ReceivingRates
  /** Whether new sending domains are warmed up. */
  readonly warmsUp: boolean
}

export const NO_RECEIVING: ReceivingRates = { others: undefined, of: new Map() }

const RATE = /^([1-9]\d{0,8})\/([1-9]\d{0,4})([smhd])$/
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a rate such as `600/1m`, for a day at most; `undefined`: it is none. */
export const rateIn = (text: string): MailRate | undefined => {
  const [, mails, count, unit = ''] = RATE.exec(text) ?? []
  const perMs = Number(count) * (UNITS[unit] ?? Number.NaN)
  return mails !== undefined && perMs <= TAKINGS_KEPT_MS ? { mails: Number(mails), perMs } : undefined
}

/** Returns a domain in the spelling by which mails to it are counted. */
const receiving = (name: string): string => domainPart(mailboxOf(`x@${name}`))

/** Reads rates such as `300/1m, mail.example=60/1m`; `undefined`: something of it is none. */
export const receivingRatesIn = (text: string): ReceivingRates | undefined => {
  const of = new Map<string, MailRate>()
  let others: MailRate | undefined
  for (const part of text.split(/[\s,]+/).filter((one) => one !== '')) {
    const [name, own] = part.includes('=') ? part.split('=') : [undefined, part]
    const rate = rateIn(own ?? '')
    if (!rate || (name !== undefined && !/^[^@\s]+\.[^@\s]+$/.test(name))) return undefined
    if (name === undefined) others = rate
    else of.set(receiving(name), rate)
  }
  return { others, of }
}

/** Returns the rate of a receiving domain; `undefined`: any number. */
export const rateOfReceiver = ({ others, of }: ReceivingRates, domain: string): MailRate | undefined =>
  of.get(domain) ?? others
