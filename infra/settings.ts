import { SCOPES } from '../domain/kernel/values/scopes.ts'

/** An invalid setting; the message names it and its allowed values. */
export class ConfigError extends Error {}

/** Settings by name, as in the environment. */
export type Settings = Readonly<Record<string, string | undefined>>

/** Reads a whole number from 0 to `max`. @throws {ConfigError} */
export const wholeNumber = (settings: Settings, name: string, fallback: number, max: number): number => {
  const text = settings[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (Number.isInteger(value) && value >= 0 && value <= max) return value
  throw new ConfigError(`${name} must be a whole number from 0 to ${max}, not '${text}'`)
}

/** Reads one of a list of words. @throws {ConfigError} */
export const oneOf = <W extends string>(
  settings: Settings,
  name: string,
  allowed: readonly W[],
  fallback: NoInfer<W>,
): W => {
  const text = settings[name] || fallback
  const word = allowed.find((each) => each === text)
  if (word !== undefined) return word
  throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not '${text}'`)
}

/** Reads `1`, `true` or `yes`, or the opposite. @throws {ConfigError} */
export const yesNo = (settings: Settings, name: string, fallback: boolean): boolean =>
  ['1', 'true', 'yes'].includes(oneOf(settings, name, ['1', '0', 'true', 'false', 'yes', 'no'], fallback ? '1' : '0'))

/** Reads some of a list of words, separated by commas or spaces. @throws {ConfigError} */
export const wordsIn = <W extends string>(settings: Settings, name: string, allowed: readonly W[]): ReadonlySet<W> => {
  const sent = (settings[name] ?? '').split(/[\s,]+/).filter((word) => word !== '')
  const unknown = sent.find((word) => !allowed.some((one) => one === word))
  if (unknown) throw new ConfigError(`${name} must be some of ${allowed.join(', ')}, not '${unknown}'`)
  return new Set(allowed.filter((word) => sent.includes(word)))
}

/** Address of a name server, with or without a port. @throws {ConfigError} */
export const nameServerIn = ({ MILLRACE_DNS: server }: Settings): string | undefined => {
  if (!server) return undefined
  if (/^(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|\[[0-9a-fA-F:]+\](?::\d{1,5})?)$/.test(server)) return server
  throw new ConfigError(`MILLRACE_DNS must be an IP address such as 9.9.9.9 or 127.0.0.1:5353, not '${server}'`)
}

/** Name of the operator's for mail. @throws {ConfigError} */
export const mailDomainIn = ({ MILLRACE_MAIL_DOMAIN: name }: Settings): string | undefined => {
  if (!name) return undefined
  if (/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*$/.test(name)) return name
  throw new ConfigError(`MILLRACE_MAIL_DOMAIN must be a name such as mail.example.com, in lower case, not '${name}'`)
}

/** Address without a slash at its end. @throws {ConfigError} */
export const addressIn = (settings: Settings, name: string): string | undefined => {
  const url = settings[name]
  if (!url) return undefined
  if (/^https?:\/\/[^/?#@]+\/?$/i.test(url) && URL.canParse(url)) return new URL(url).origin
  throw new ConfigError(`${name} must be a http or https address such as https://pay.example.com, not '${url}'`)
}

/** Origins of pages, separated by commas or spaces. @throws {ConfigError} */
export const originsIn = (settings: Settings, name: string): ReadonlySet<string> => {
  const sent = (settings[name] ?? '').split(/[\s,]+/).filter((word) => word !== '')
  const wrong = sent.find((one) => !URL.canParse(one) || new URL(one).origin !== one)
  if (wrong === undefined) return new Set(sent)
  throw new ConfigError(`${name} must be origins such as https://chat.example.com, not '${wrong}'`)
}

/**
 * Parses scopes given as one text, separated by spaces or commas.
 *
 * @throws {ConfigError} naming a scope that does not exist, or when there is none
 */
export const readScopes = (text: string): readonly string[] => {
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== '')
  const unknown = scopes.find((scope) => !SCOPES.includes(scope))
  if (unknown) throw new ConfigError(`'${unknown}' is not a scope; there are ${SCOPES.join(', ')}`)
  if (scopes.length === 0) throw new ConfigError('a key needs at least one scope')
  return scopes
}
