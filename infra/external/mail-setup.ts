import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { DnsAnswer, MailSetup } from '../../domain/kernel/ports/mail.ts'
import type { Config } from '../config.ts'
import { resolverAsking } from './name-server.ts'

const BITS = 2048

/** Answers that there is nothing. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA'])

const makeKeyPair = promisify(generateKeyPair)

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined

const answered = (records: Promise<readonly string[]>): Promise<DnsAnswer> =>
  records.catch((error) => (NOTHING.has(String(codeOf(error))) ? [] : undefined))

/** Creates what the installation has for mail. Keys are made on a thread of their own. */
export const mailSetup = ({
  nameServer,
  mailDomain,
  mail: { sharedDomain },
}: Pick<Config, 'nameServer' | 'mailDomain' | 'mail'>): MailSetup => {
  const resolver = resolverAsking(nameServer)
  return {
    ...(mailDomain !== undefined && { domain: mailDomain }),
    ...(sharedDomain !== undefined && { sharedDomain }),
    dns: {
      texts: (name) => answered(resolver.resolveTxt(name).then((records) => records.map((parts) => parts.join('')))),
      aliases: (name) => answered(resolver.resolveCname(name)),
    },
    async newKeyPair() {
      const { publicKey, privateKey } = await makeKeyPair('rsa', {
        modulusLength: BITS,
        publicKeyEncoding: { type: 'spki', format: 'der' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      })
      return { publicKey: publicKey.toString('base64'), privateKey }
    },
  }
}
