import { getDomain, parse } from 'tldts'
import { type Ask, ask } from '../../kernel/decide/ask.ts'
import { keyOfWorkspace } from '../../kernel/model/personal.ts'
import type { MailSetup } from '../../kernel/ports/mail.ts'
import type { Vault } from '../../kernel/ports/vault.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { hostName } from '../../sites/public.ts'
import { addresses } from '../address/rules.ts'
import type { DkimKey } from './model.ts'

const SELECTOR_LENGTH = 10

/** Returns the root domain that was named, or why it is none. */
export const rootOf = (sent: string): string | Refusal => {
  const name = hostName(sent.trim())
  const root = name === undefined ? null : getDomain(name)
  if (name === undefined || root === null || !parse(name).isIcann || !/^[^:/\s]+$/.test(sent.trim()))
    return refuse.invalid('Name must be a valid public domain name.', 'name', 'invalid')
  if (root === name) return name
  const says = `Sending domains are set up on the root domain. Use "${root}" instead of "${name}".`
  return refuse.invalid(says, 'name', 'not_root')
}

/** What a key is made with. */
export interface KeyMaking {
  readonly mail: Pick<MailSetup, 'newKeyPair'>
  readonly vault: Pick<Vault, 'seal'>
  readonly workspaceId: number
  /** Returns that many random characters. */
  readonly token: (length: number) => string
}

/** Makes a key, sealed under the key of its workspace. */
export const newKey = async ({ mail, vault, workspaceId, token }: KeyMaking): Promise<DkimKey> => {
  const { privateKey, publicKey } = await mail.newKeyPair()
  const sealed = await vault.seal(keyOfWorkspace(workspaceId), { key: privateKey })
  return { selector: `m${token(SELECTOR_LENGTH).toLowerCase()}`, public_key: publicKey, sealed }
}

/** Returns the address that a sending domain begins with. */
export const firstSender = (name: string): string => `no-reply@${name}`

/** Returns the command that makes the sender that a sending domain begins with. */
export const withFirstSender = (id: number, name: string): Ask =>
  ask(addresses, 'new', 'create', {
    ...{ username: 'no-reply', name, emails_domain_id: id, email_address: firstSender(name) },
  })
