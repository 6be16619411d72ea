import { TAKINGS_KEPT_MS } from '../../domain/emails/mailing/model.ts'
import { LOCAL_DOMAIN } from '../../domain/emails/public.ts'
import type { MailRate } from '../../workers/mail/mail-deps.ts'
import { ConfigError, mailDomainIn, type Settings } from '../settings.ts'
import type { SmtpServer } from './connections.ts'

/** Settings of mail. */
export interface MailSettings {
  /** Servers to hand over to, in the order in which they are tried; none: mails are kept as files. */
  readonly servers: readonly SmtpServer[]
  /** Domain that senders share; `undefined`: there is none. */
  readonly sharedDomain: string | undefined
  /** Mails of one sending domain within a time; `undefined`: any number. */
  readonly rate: MailRate | undefined
  /** Time without any event after which a start takes its data for an older copy, in milliseconds. */
  readonly copyAfterMs: number
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

const RATE = /^([1-9]\d{0,8})\/([1-9]\d{0,4})([smhd])$/
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const rateIn = ({ MILLRACE_MAIL_RATE: text }: Settings): MailRate | undefined => {
  if (!text) return undefined
  const [, mails, count, unit = ''] = RATE.exec(text) ?? []
  if (mails === undefined) throw new ConfigError(`MILLRACE_MAIL_RATE must be such as 600/1m or 1/2m, not '${text}'`)
  const perMs = Number(count) * UNITS[unit]!
  if (perMs > TAKINGS_KEPT_MS) throw new ConfigError(`MILLRACE_MAIL_RATE must be for a day at most, not '${text}'`)
  return { mails: Number(mails), perMs }
}

const COPY_AFTER_HOURS = 2
const HOURS = /^\d{1,4}(\.\d{1,3})?$/

const copyAfterIn = ({ MILLRACE_MAIL_HOLD_HOURS: text }: Settings): number => {
  if (text && !HOURS.test(text))
    throw new ConfigError(`MILLRACE_MAIL_HOLD_HOURS must be a number of hours, not '${text}'`)
  return Number(text || COPY_AFTER_HOURS) * 3_600_000
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
    rate: rateIn(settings),
    copyAfterMs: copyAfterIn(settings),
  }
}

/** Mail without settings: kept as files. */
export const NO_MAIL: MailSettings = mailSettingsIn({})
