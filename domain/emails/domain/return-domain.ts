import type { FactReader } from '../../kernel/decide/command.ts'
import type { SendableMailing } from '../mailing/model.ts'
import { domain } from './model.ts'
import { returnName } from './records.ts'

/**
 * Returns the domain that reports about mails of a mailing come to: that of the operator for its own senders, or the one below a sending domain whose record was
 * seen. `null`: there is none that is known to exist.
 */
export const returnDomainOf = async (
  { domain: name, workspace_id }: Pick<SendableMailing, 'domain' | 'workspace_id'>,
  sharedDomain: string | undefined,
  read: Pick<FactReader, 'find'>,
): Promise<string | null> => {
  if (name === sharedDomain) return name
  const [found] = await read.find(domain.name, { where: { workspace_id, name }, limit: 1 })
  return found?.return_address_verified === true ? returnName(name) : null
}
