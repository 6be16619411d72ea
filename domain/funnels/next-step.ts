import type { contact } from '../contacts/contact/model.ts'
import { contactFilters, filterTest } from '../filters/public.ts'
import type { FactReader } from '../kernel/decide/command.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import type { Vault } from '../kernel/ports/vault.ts'
import { Refusal } from '../kernel/values/refusal.ts'
import { MATCHED, UNMATCHED } from '../resources/tree/tree.ts'
import { variantFor } from '../resources/tree/variant.ts'
import { nodesAfter } from '../resources/tree/walk.ts'
import { type Branch, isPage, isSplit, type Node, type PageNode, type SplitNode, type Tree } from './funnel/tree.ts'

/** Returns what follows a step: the rest of its branch, and then of each sequence around that; `undefined` when the tree does not have the step. */
export const stepsAfter = (tree: Tree, showPageStepId: number): Tree | undefined =>
  nodesAfter<Node>(tree, (node) => isPage(node) && node.show_page_step_id === showPageStepId)

/** Chooses the branch of a split for a visitor. */
export type Choose = (split: SplitNode) => Promise<Branch> | Branch

/** Returns the first page of a sequence, with the branches of splits that are chosen on the way; `undefined` when none is left. */
export const firstPageOf = async (sequence: Tree, choose: Choose): Promise<PageNode | undefined> => {
  let rest = sequence
  for (let [node] = rest; node; [node] = rest) {
    if (!isSplit(node)) return node
    rest = [...node.branches[await choose(node)], ...rest.slice(1)]
  }
  return undefined
}

/** Dependencies of choosing branches. */
export interface SplitDeps {
  readonly read: FactReader
  readonly vault: Pick<Vault, 'open' | 'token'>
}

/** Visitor for whom branches are chosen. */
export interface SplitVisitor {
  /** Text that stays the same for the visitor. */
  readonly visitor: string
  /** The contact, with personal data in the clear; `undefined` while nobody knows who it is, which meets no condition. */
  readonly contact: RecordOf<typeof contact> | undefined
  /** Time from which relative dates count; ISO 8601. */
  readonly at: string
}

/** Returns whether a contact meets a stored filter. A filter that cannot be used is met by nobody. */
const meets = async ({ vault, read }: SplitDeps, filter: Document, known: RecordOf<typeof contact>, at: string) => {
  const test = await filterTest(vault, read, filter, at)
  return !(test instanceof Refusal) && test({ ...known, personal: known })
}

/** Returns the function that chooses branches for a visitor: by chance in split tests, and by the stored filter in conditional splits. */
export const chooserFor =
  (deps: SplitDeps, { visitor, contact: known, at }: SplitVisitor): Choose =>
  async (split) => {
    if (split.type === 'split_test_step') return variantFor(split, visitor)
    if (!known || !split.filter) return UNMATCHED
    const filter = await deps.read.get(contactFilters.resource, split.filter.id)
    return filter && (await meets(deps, filter, known, at)) ? MATCHED : UNMATCHED
  }
