import path from 'node:path'
import type { S3Address } from './blobs/s3-address.ts'
import { s3SettingsIn } from './blobs/s3-settings.ts'
import type { ModelSettings } from './external/audience-model.ts'
import { modelSettingsIn } from './external/model-settings.ts'
import { MAIL_SETTINGS, type MailSettings, mailSettingsIn } from './mail/settings.ts'
import type { GatewayUrls } from './payments/dispatch.ts'
import {
  addressIn,
  ConfigError,
  mailDomainIn,
  nameServerIn,
  oneOf,
  originsIn,
  type Settings,
  wholeNumber,
  yesNo,
} from './settings.ts'
import { type ThirdParty, thirdPartyIn } from './third-party.ts'

/** Configuration of one process. Every setting comes from a flag or, without one, from the environment. */
export interface Config {
  /** Directory of the embedded stores. */
  readonly data: string
  readonly host: string
  /** Port of the API; 0: any free one. */
  readonly port: number
  /** Port of the public listener; 0: any free one. */
  readonly publicPort: number
  /** Scheme, host, port and optional path at which the public listener is reached from outside; without it links name its own address. */
  readonly publicUrl: string | undefined
  /** Port of the listener that the browser SDK calls; 0: any free one. */
  readonly sdkPort: number
  /** Port to which reports about mails come (SMTP); `undefined`: none do. */
  readonly mailPort: number | undefined
  /** Scheme, host and port at which browsers reach it; without it, its own address. */
  readonly sdkUrl: string | undefined
  /** Port of the agent server; 0: any free one. */
  readonly mcpPort: number
  /** Scheme, host and port at which agents reach it; without it, this machine by the name `localhost`. */
  readonly mcpUrl: string | undefined
  /** Origins whose pages may call the agent server, beside those of this machine. */
  readonly mcpOrigins: ReadonlySet<string>
  /** Address at which people and clients reach the API from outside; without it links to sign in name this machine. */
  readonly apiUrl: string | undefined
  /** Master secret from which everything unguessable is derived. Without it, one is generated and kept in the data directory. */
  readonly secret: string | undefined
  /** Requests per token and minute; 0: no limit. */
  readonly rateLimitPerMinute: number
  /** Requests of one address to the public listener per minute; 0: no limit. */
  readonly publicRateLimitPerMinute: number
  /** Failed attempts to authenticate per address and minute; 0: no limit. */
  readonly failedAttemptsPerMinute: number
  /** Token that a scraper of `/metrics` must send. */
  readonly metricsToken: string | undefined
  readonly bodyLimitBytes: number
  /** Memory for answers that are cached until their content changes, in bytes; 0: none are cached. */
  readonly answersBytes: number
  /** Number of proxies in front of the service whose `X-Forwarded-*` headers are trusted. */
  readonly proxies: number
  readonly logLevel: string
  /** `json` for programs, `text` for people, `auto` for text on a terminal and JSON elsewhere. */
  readonly logFormat: 'auto' | 'json' | 'text'
  /** Create a team, a workspace with a sample order, and a key when there are none yet; `empty`: an empty workspace. */
  readonly demo: boolean | 'empty'
  /** Open a log whose last events may be missing because its write-ahead log is gone. */
  readonly acceptLoss: boolean
  /** For development: webhooks and other outgoing requests may go to this machine and its network. */
  readonly allowPrivateTargets: boolean
  /** Roles of this process. */
  readonly roles: readonly Role[]
  /** Connection string of the EventStoreDB that holds the log; without it the log is embedded. */
  readonly eventStoreUrl: string | undefined
  /** Connection string of the MongoDB that holds the read models; without it they are embedded. */
  readonly mongoUrl: string | undefined
  /** Bucket that holds files; without it they are in the data directory. */
  readonly s3: S3Address | undefined
  /** Language model that translates descriptions of audiences; without it fixed rules translate them. */
  readonly model: ModelSettings | undefined
  /** Address of the name server that is asked for proofs of domains; default: those of the system. */
  readonly nameServer: string | undefined
  /** Name that senders without a domain of their own share, and that bounces go to. */
  readonly mailDomain: string | undefined
  /** What pages may load from hosts of others. */
  readonly thirdParty: ReadonlySet<ThirdParty>
  /** Addresses of the payment gateways; default: their public ones. */
  readonly gatewayUrls: GatewayUrls
  /** How mails leave the house. */
  readonly mail: MailSettings
}

/** `api` answers requests, `projector` keeps the read models up to date, `worker` runs reactions to events, jobs and timers. */
export const ROLES = ['api', 'projector', 'worker'] as const
export type Role = (typeof ROLES)[number]

export { ConfigError, type Settings } from './settings.ts'

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

const MOST_PROXIES = 16

/** Number of proxies; `yes` means one. */
const proxiesIn = (settings: Settings): number => {
  const name = 'MILLRACE_BEHIND_PROXY'
  const words = ['true', 'false', 'yes', 'no']
  return words.includes(settings[name] ?? '')
    ? Number(yesNo(settings, name, false))
    : wholeNumber(settings, name, 0, MOST_PROXIES)
}

const MIN_TOKEN = 16

const metricsTokenIn = ({ MILLRACE_METRICS_TOKEN: token }: Settings): string | undefined => {
  if (!token) return undefined
  if (token.length >= MIN_TOKEN && /^[\x21-\x7e]+$/.test(token)) return token
  throw new ConfigError(`MILLRACE_METRICS_TOKEN must be at least ${MIN_TOKEN} printable characters without spaces`)
}

const rolesIn = (text: string): readonly Role[] => {
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  const unknown = names.find((name) => !ROLES.some((role) => role === name))
  if (unknown) throw new ConfigError(`MILLRACE_ROLES must be some of ${ROLES.join(', ')}, not '${unknown}'`)
  return names.length === 0 ? ROLES : ROLES.filter((role) => names.includes(role))
}

const HIGHEST_PORT = 65_535

/** Port of another listener. Defaults to one above that of the API, so that several services on one machine do not collide. */
const portAbove = (settings: Settings, name: string, port: number, above: number): number => {
  if (!settings[name] && port + above > HIGHEST_PORT)
    throw new ConfigError(`${name} must be given where MILLRACE_PORT is ${port}: there is no port above it`)
  return wholeNumber(settings, name, port === 0 ? 0 : port + above, HIGHEST_PORT)
}

const publicUrlIn = ({ MILLRACE_PUBLIC_URL: url }: Settings): string | undefined => {
  if (!url) return undefined
  const parsed = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined
  if (parsed && parsed.search === '' && parsed.hash === '') return parsed.href.replace(/\/+$/, '')
  throw new ConfigError(
    `MILLRACE_PUBLIC_URL must be a http or https address such as https://files.example.com, not '${url}'`,
  )
}

const KNOWN = [
  'MILLRACE_ROLES',
  'MILLRACE_DATA',
  'MILLRACE_HOST',
  'MILLRACE_PORT',
  'MILLRACE_PUBLIC_PORT',
  'MILLRACE_PUBLIC_URL',
  'MILLRACE_SDK_PORT',
  'MILLRACE_MAIL_PORT',
  'MILLRACE_SDK_URL',
  'MILLRACE_MCP_PORT',
  'MILLRACE_MCP_URL',
  'MILLRACE_MCP_ORIGINS',
  'MILLRACE_API_URL',
  'MILLRACE_SECRET',
  'MILLRACE_RATE_LIMIT',
  'MILLRACE_PUBLIC_RATE_LIMIT',
  'MILLRACE_FAILED_ATTEMPTS',
  'MILLRACE_METRICS_TOKEN',
  'MILLRACE_BODY_LIMIT',
  'MILLRACE_ANSWERS_MIB',
  'MILLRACE_BEHIND_PROXY',
  'MILLRACE_LOG_LEVEL',
  'MILLRACE_LOG_FORMAT',
  'MILLRACE_DEMO',
  'MILLRACE_ACCEPT_LOSS',
  'MILLRACE_ALLOW_PRIVATE_TARGETS',
  'MILLRACE_MODEL_URL',
  'MILLRACE_MODEL',
  'MILLRACE_MODEL_KEY',
  'MILLRACE_THIRD_PARTY',
  'MILLRACE_DNS',
  'MILLRACE_MAIL_DOMAIN',
  'MILLRACE_STRIPE_URL',
  'MILLRACE_PAYMENTS_AI_URL',
  ...MAIL_SETTINGS,
]

/**
 * Reads the configuration from environment variables. The caller has already replaced variables by the flags of the same names.
 *
 * @throws {ConfigError} naming the variable, also for an unknown one that begins with MILLRACE_
 */
export const readConfig = (settings: Settings): Config => {
  const unknown = Object.keys(settings).find((name) => name.startsWith('MILLRACE_') && !KNOWN.includes(name))
  if (unknown) throw new ConfigError(`${unknown} is not a setting; there are ${KNOWN.join(', ')}`)
  const secret = settings.MILLRACE_SECRET || undefined
  if (secret !== undefined && secret.length < 32)
    throw new ConfigError('MILLRACE_SECRET must have at least 32 characters')
  const roles = rolesIn(settings.MILLRACE_ROLES ?? '')
  const eventStoreUrl = settings.EVENTSTOREDB_URL || undefined
  const mongoUrl = settings.MONGODB_URL || undefined
  const isShared = eventStoreUrl !== undefined && mongoUrl !== undefined
  if (roles.length < ROLES.length && !isShared) {
    throw new ConfigError(
      'MILLRACE_ROLES can only be divided among processes with both EVENTSTOREDB_URL and MONGODB_URL',
    )
  }
  if (isShared && secret === undefined) {
    throw new ConfigError(
      'MILLRACE_SECRET must be given, the same to every process, with EVENTSTOREDB_URL and MONGODB_URL',
    )
  }
  const port = wholeNumber(settings, 'MILLRACE_PORT', 4000, HIGHEST_PORT)
  return {
    data: path.resolve(settings.MILLRACE_DATA || 'data'),
    host: settings.MILLRACE_HOST || '127.0.0.1',
    port,
    publicPort: portAbove(settings, 'MILLRACE_PUBLIC_PORT', port, 1),
    sdkPort: portAbove(settings, 'MILLRACE_SDK_PORT', port, 2),
    mailPort: settings.MILLRACE_MAIL_PORT ? wholeNumber(settings, 'MILLRACE_MAIL_PORT', 0, HIGHEST_PORT) : undefined,
    sdkUrl: addressIn(settings, 'MILLRACE_SDK_URL'),
    mcpPort: portAbove(settings, 'MILLRACE_MCP_PORT', port, 3),
    mcpUrl: addressIn(settings, 'MILLRACE_MCP_URL'),
    mcpOrigins: originsIn(settings, 'MILLRACE_MCP_ORIGINS'),
    apiUrl: addressIn(settings, 'MILLRACE_API_URL'),
    publicUrl: publicUrlIn(settings),
    secret,
    rateLimitPerMinute: wholeNumber(settings, 'MILLRACE_RATE_LIMIT', 6000, 1_000_000_000),
    publicRateLimitPerMinute: wholeNumber(settings, 'MILLRACE_PUBLIC_RATE_LIMIT', 6000, 1_000_000_000),
    failedAttemptsPerMinute: wholeNumber(settings, 'MILLRACE_FAILED_ATTEMPTS', 60, 1_000_000_000),
    metricsToken: metricsTokenIn(settings),
    bodyLimitBytes: wholeNumber(settings, 'MILLRACE_BODY_LIMIT', 1_048_576, 1_073_741_824),
    answersBytes: wholeNumber(settings, 'MILLRACE_ANSWERS_MIB', 64, 16_384) * 1024 * 1024,
    proxies: proxiesIn(settings),
    logLevel: oneOf(settings, 'MILLRACE_LOG_LEVEL', LEVELS, 'info'),
    logFormat: oneOf(settings, 'MILLRACE_LOG_FORMAT', ['auto', 'json', 'text'], 'auto'),
    demo: settings.MILLRACE_DEMO === 'empty' ? 'empty' : yesNo(settings, 'MILLRACE_DEMO', true),
    acceptLoss: yesNo(settings, 'MILLRACE_ACCEPT_LOSS', false),
    allowPrivateTargets: yesNo(settings, 'MILLRACE_ALLOW_PRIVATE_TARGETS', false),
    roles,
    eventStoreUrl,
    mongoUrl,
    s3: s3SettingsIn(settings),
    nameServer: nameServerIn(settings),
    mailDomain: mailDomainIn(settings),
    thirdParty: thirdPartyIn(settings),
    model: modelSettingsIn(settings),
    gatewayUrls: {
      stripe: addressIn(settings, 'MILLRACE_STRIPE_URL'),
      payments_ai: addressIn(settings, 'MILLRACE_PAYMENTS_AI_URL'),
    },
    mail: mailSettingsIn(settings),
  }
}
