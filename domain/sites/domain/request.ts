import type { Hosts } from '../../kernel/ports/hosts.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { hostName } from '../host.ts'

const PROOF_LENGTH = 32

/** A domain that is requested: its name in ASCII, and the proof that its owner has to publish. */
export type RequestedDomain = { readonly name: string; readonly proof: string }

/** Returns what is stored of a requested domain. @param token returns that many random characters */
export const requestedDomain = (
  sent: string,
  hosts: Pick<Hosts, 'isOwn'>,
  token: (length: number) => string,
): RequestedDomain | Refusal => {
  const name = hostName(sent)
  if (name === undefined || !name.includes('.'))
    return refuse.invalid('Name must be the name of a host, such as shop.example.com', 'name', 'invalid')
  if (hosts.isOwn(name)) return refuse.invalid('Name is one of the service itself', 'name', 'reserved')
  return { name, proof: `millrace=${token(PROOF_LENGTH)}` }
}
