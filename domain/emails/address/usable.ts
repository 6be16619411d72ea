import type { FactReader } from '../../kernel/decide/command.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { domain } from '../domain/model.ts'
import { isVerified, provesOwnership } from '../domain/view.ts'
import { address } from './model.ts'

const openDomain = recordOf(domain)
const openAddress = recordOf(address)

type Sender = RecordOf<typeof address>

/** What decides which senders may be used: those of a workspace, its sending domains, and the hosts that are connected to it. */
interface SenderFacts {
  readonly senders: readonly Document[]
  readonly domains: readonly Document[]
  readonly hosts: readonly Document[]
}

/** Whether the domain of a sender of its own is ready. */
const isReady = ({ emails_domain_id }: Sender, { domains, hosts }: SenderFacts): boolean => {
  const own = domains.find(({ id }) => id === emails_domain_id)
  return own !== undefined && isVerified(openDomain(own)) && provesOwnership(hosts, String(own.name))
}

/** Returns the senders from which mail may be sent. Those of the operator's domain are for workspaces without a usable one of their own. */
const usableAmong = (facts: SenderFacts): ReadonlySet<number> => {
  const senders = facts.senders.map(openAddress)
  const ready = senders.filter((sender) => isReady(sender, facts))
  const usable = ready.length > 0 ? ready : senders.filter(({ emails_domain_id }) => emails_domain_id === null)
  return new Set(usable.map(({ id }) => id))
}

/** Returns the ids of the senders of a workspace from which mail may be sent, found by `where`. */
export const usableSendersBy = async (
  where: (resource: string) => Promise<readonly Document[]>,
): Promise<ReadonlySet<number>> => {
  const [senders, domains, hosts] = await Promise.all([where(address.name), where(domain.name), where('domain')])
  return usableAmong({ senders, domains, hosts })
}

/** Returns the ids of the senders of a workspace from which mail may be sent. */
export const usableSenders = (workspaceId: number, read: FactReader): Promise<ReadonlySet<number>> =>
  usableSendersBy(async (resource) => read.find(resource, { where: { workspace_id: workspaceId } }))
