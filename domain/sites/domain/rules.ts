import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { isOfMachine } from '../host.ts'
import { domain } from './model.ts'

type Domain = DecisionContext<typeof domain>

const TAKEN = 'Name has already been taken'

/** Name of the TXT record by which the owner of a domain proves that a workspace may have it. */
export const proofName = (name: string): string => `_millrace.${name}`

interface Facts {
  /** Whether the requested name is connected to any workspace, or known to the own one. */
  readonly isTaken: boolean
  /** Whether the workspace is connected to other names. */
  readonly hasOther: boolean
}

const loadFacts = async (
  { act, id, before, wanted: { name }, workspaceId }: Domain,
  { everywhere, find }: Reader,
): Promise<Facts> => {
  const named = before || !name ? [] : await everywhere.find(domain, { where: { name } })
  const own =
    act === 'remove' && before ? await find(domain, { where: { workspace_id: before.workspace_id ?? 0 } }) : []
  return {
    isTaken: named.some((one) => one.connected === true || one.workspace_id === workspaceId),
    hasOther: own.some((one) => one.connected && one.id !== id),
  }
}

const freeName = ({ before, wanted: { proof }, after: { name } }: Domain, { isTaken }: Facts) => {
  if (before || !proof) return undefined
  if (isOfMachine(name ?? '')) return refuse.invalid('Name is one of the service itself', 'name', 'reserved')
  return isTaken ? refuse.invalid(TAKEN, 'name', 'taken') : undefined
}

/** Connects a domain whose proof has been published. */
const prove = ({ before, wanted: { texts } }: ActContext<typeof domain, { readonly texts: readonly string[] }>) => {
  if (before.connected) return []
  if (before.proof !== null && texts.includes(before.proof)) return [domain.event.DomainOwnershipProven({})]
  const says = `Name is not proven: the TXT record of ${proofName(before.name ?? '')} must be ${before.proof}`
  return refuse.invalid(says, 'name', 'unproven')
}

/** Decider of domains. A name is connected to one workspace at a time. */
export const domains = decider(domain, {
  rules: rules(domain, {
    loadFacts,
    save: [freeName],
    acts: { prove },
    preventRemoval: ({ before }: ActContext<typeof domain>, { hasOther }: Facts) =>
      isOfMachine(before.name ?? '') && !hasOther
        ? refuse.invalid(
            'The domain that a workspace begins with cannot be removed before it has another',
            'base',
            'required',
          )
        : undefined,
  }),
  claims: ({ name, connected }) =>
    connected && name && !isOfMachine(name) ? [{ scope: 'domain.name', value: name, field: 'name', says: TAKEN }] : [],
})
