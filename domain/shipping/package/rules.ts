import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { shippingPackage } from './model.ts'

type Package = DecisionContext<typeof shippingPackage>

/** A package that is set as the default. */
export interface SetAsDefault {
  readonly id: number
  readonly default_rank: number
}

/** Whether the first of two packages that are set as the default is it, and not the second. */
const outranks = (one: SetAsDefault, other: SetAsDefault): boolean =>
  one.default_rank > other.default_rank || (one.default_rank === other.default_rank && one.id > other.id)

/** Whether a package is the default among those that are set as it. */
export const isDefault = (one: SetAsDefault, all: readonly SetAsDefault[]): boolean =>
  all.every((other) => other.id === one.id || outranks(one, other))

/** Loads the other packages of the workspace that are set as the default. Only a request to become it needs them. */
const loadFacts = async (
  { id, before, wanted, workspaceId }: Package,
  read: Reader,
): Promise<readonly SetAsDefault[]> => {
  if (wanted.default_package !== true) return []
  const set = await read.find(shippingPackage, { where: { default_of: before?.workspace_id ?? workspaceId } })
  return set.filter((other) => other.id !== id)
}

/** Ranks a package that is to be the default above all that are. One that is it already keeps its rank. */
const takeOver = ({ id, before, after, wanted }: Package, others: readonly SetAsDefault[]) => {
  if (wanted.default_package !== true) return undefined
  if (before?.default_package && isDefault({ id, default_rank: after.default_rank }, others)) return undefined
  return { default_rank: Math.max(0, ...others.map(({ default_rank }) => default_rank)) + 1 }
}

/** Ends that a package is set as the default, if the given one has taken that over. */
const yieldDefault = ({ before, wanted: { to } }: ActContext<typeof shippingPackage, { readonly to: SetAsDefault }>) =>
  before.default_package && outranks(to, before)
    ? [shippingPackage.event.ShippingPackageChanged({ default_package: false })]
    : []

/** Rules of a package. */
export const packages = decider(shippingPackage, {
  rules: rules(shippingPackage, { loadFacts, save: [takeOver], acts: { yieldDefault } }),
})
