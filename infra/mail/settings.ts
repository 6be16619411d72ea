import { LOCAL_DOMAIN } from '../../domain/emails/address/local-domain.ts'
import { type MailRates, rateIn, receivingRatesIn } from '../../domain/emails/rates/notation.ts'
import { needsSmtpUtf8, sendable } from '../../domain/kernel/values/mailbox.ts'
import { ConfigError, mailDomainIn, type Settings, yesNo } from '../settings.ts'
import type { SmtpServer } from './connections.ts'

/** Names of the settings that are only about how mail is handed over. */
export const MAIL_SETTINGS = [
  'MILLRACE_MAIL_RATE',
  'MILLRACE_MAIL_RECEIVING_RATE',
  'MILLRACE_MAIL_WARM_UP',
  'MILLRACE_MAIL_HOLD_HOURS',
  'MILLRACE_MAIL_REPORT_SECRET',
  'MILLRACE_MAIL_FROM',
]

/** Settings of mail. */
export interface MailSettings {
  /** Servers to hand over to, in the order in which they are tried; none: mails are kept as files. */
  readonly servers: readonly SmtpServer[]
  /** Domain that senders share; `undefined`: there is none. */
  readonly sharedDomain: string | undefined
  /** How fast mail goes out, unless the operator has ordered otherwise. */
  readonly rates: MailRates
  /** Time without any event after which a start takes its data for an older copy, in milliseconds. */
  readonly copyAfterMs: number
  /** Secret that providers sign their reports with; `undefined`: none report by HTTP. */
  readonly reportSecret: string | undefined
  /** Address that mails to users of the installation come from; `undefined`: there are none. */
  readonly from: string | undefined
  /** Whether this process hands nothing over. */
  readonly isIdle?: boolean
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }
const FLAGS = ['name', 'tls']

const flagOf = (url: URL, name: string): string | undefined => url.searchParams.get(name) ?? undefined

/** The message does not repeat the address, which may hold a password. */
const malformed = () =>
  new ConfigError('SMTP_URL must be such as smtp://USER:PASSWORD@mail.example.com:587?name=app.example.com')

const serverIn = (text: string): SmtpServer => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const port = url && PORTS[url.protocol]
  if (!url || port === undefined || url.hostname === '') throw malformed()
  if ([...url.searchParams.keys()].some((name) => !FLAGS.includes(name))) throw malformed()
  const tls = flagOf(url, 'tls') ?? 'yes'
  if (!['yes', 'no', 'unchecked'].includes(tls)) throw malformed()
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? port : Number(url.port),
    secure: url.protocol === 'smtps:',
    user: url.username === '' ? undefined : decodeURIComponent(url.username),
    password: url.username === '' ? undefined : decodeURIComponent(url.password),
    name: flagOf(url, 'name') ?? 'localhost',
    ignoreTls: tls === 'no',
    checksCertificate: tls !== 'unchecked',
  }
}

const ratesIn = (settings: Settings): MailRates => {
  const { MILLRACE_MAIL_RATE: sending, MILLRACE_MAIL_RECEIVING_RATE: receiving } = settings
  const rate = sending ? rateIn(sending) : undefined
  if (sending && !rate)
    throw new ConfigError(`MILLRACE_MAIL_RATE must be such as 600/1m or 1/2m, for a day at most, not '${sending}'`)
  const rates = receivingRatesIn(receiving ?? '')
  if (!rates)
    throw new ConfigError(
      `MILLRACE_MAIL_RECEIVING_RATE must be such as 300/1m or 300/1m,mail.example=60/1m, for a day at most, not '${receiving}'`,
    )
  return { sending: rate, receiving: rates, warmsUp: yesNo(settings, 'MILLRACE_MAIL_WARM_UP', true) }
}

const COPY_AFTER_HOURS = 2
const HOURS = /^\d{1,4}(\.\d{1,3})?$/

const copyAfterIn = ({ MILLRACE_MAIL_HOLD_HOURS: text }: Settings): number => {
  if (text && !HOURS.test(text))
    throw new ConfigError(`MILLRACE_MAIL_HOLD_HOURS must be a number of hours, not '${text}'`)
  return Number(text || COPY_AFTER_HOURS) * 3_600_000
}

const MIN_SECRET = 32

const reportSecretIn = ({ MILLRACE_MAIL_REPORT_SECRET: secret }: Settings): string | undefined => {
  if (!secret) return undefined
  if (secret.length >= MIN_SECRET) return secret
  throw new ConfigError(`MILLRACE_MAIL_REPORT_SECRET must have at least ${MIN_SECRET} characters`)
}

/** Without an address of its own, such mail comes from the domain that senders share. */
const fromIn = (settings: Settings): string | undefined => {
  const { MILLRACE_MAIL_FROM: address } = settings
  const sent = address ? sendable(address) : undefined
  if (address && (sent === undefined || needsSmtpUtf8(sent)))
    throw new ConfigError(`MILLRACE_MAIL_FROM must be an address such as millrace@example.com, not '${address}'`)
  const domain = mailDomainIn(settings)
  return sent ?? (domain && `no-reply@${domain}`)
}

/** Reads the settings of mail. @throws {ConfigError} naming the variable */
export const mailSettingsIn = (settings: Settings): MailSettings => {
  const servers = (settings.SMTP_URL ?? '')
    .split(/[\s,]+/)
    .filter((text) => text !== '')
    .map(serverIn)
  return {
    servers,
    sharedDomain: mailDomainIn(settings) ?? (servers.length === 0 ? LOCAL_DOMAIN : undefined),
    rates: ratesIn(settings),
    copyAfterMs: copyAfterIn(settings),
    reportSecret: reportSecretIn(settings),
    from: fromIn(settings),
  }
}

/** Mail without settings: kept as files. */
export const NO_MAIL: MailSettings = mailSettingsIn({})
