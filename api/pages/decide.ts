import { randomInt } from 'node:crypto'
import { type Entry, type EntrySplit, isEntrySplit } from './entry.ts'
import type { Target } from './outcome.ts'
import type { Branch, Places } from './places.ts'

/** Place that a visitor gets at a split. */
export interface Placed {
  readonly split: EntrySplit
  readonly branch: Branch
  /** The visitor had a place before, in a variant that is off now. */
  readonly again: boolean
}

/** Where a visitor goes, and the places that are new. */
export interface Decided {
  readonly to: Target
  /** Page there, and the step that shows it. */
  readonly page: number
  readonly step: number
  readonly placed: readonly Placed[]
}

/** What decisions about a visitor depend on. */
export interface Visitor {
  readonly places: Places
  /** Returns whether the visitor meets a filter; `undefined` for a visitor who is not known. */
  meets(filterId: number | null): Promise<boolean | undefined>
}

const PERCENT = 100

/** Draws a variant by the weights. */
const draw = ([first]: readonly [number, number]): Branch => (randomInt(PERCENT) < first ? 0 : 1)

/** Choice at one split. `isNew`: the visitor has this place from now on. */
interface Choice {
  readonly branch: Branch
  readonly isNew: boolean
  readonly again?: boolean
}

const chooseVariant = (weights: readonly [number, number], known: Branch | undefined): Choice => {
  if (known !== undefined && weights[known] > 0) return { branch: known, isNew: false }
  return { branch: draw(weights), isNew: true, again: known !== undefined }
}

/** A contact stays in the branch that it came to first. Nothing is kept of a visitor who is not known. */
const chooseBranch = async (filterId: number | null, known: Branch | undefined, visitor: Visitor): Promise<Choice> => {
  if (known !== undefined) return { branch: known, isNew: false }
  const meets = await visitor.meets(filterId)
  if (meets === undefined) return { branch: 1, isNew: false }
  return { branch: meets ? 0 : 1, isNew: true }
}

/** Decides all splits at the entry of a funnel for a visitor. */
export const decide = async (entry: Entry, visitor: Visitor): Promise<Decided> => {
  const placed: Placed[] = []
  let at = entry
  while (isEntrySplit(at)) {
    const { id, weights, filterId, branches }: EntrySplit = at
    const [first, second] = branches
    const only: Branch | undefined = !first ? 1 : !second ? 0 : undefined
    const known = visitor.places.get(id)
    const choice: Choice =
      only !== undefined
        ? { branch: only, isNew: false }
        : weights
          ? chooseVariant(weights, known)
          : await chooseBranch(filterId, known, visitor)
    if (choice.isNew) placed.push({ split: at, branch: choice.branch, again: choice.again === true })
    at = branches[choice.branch]!
  }
  return { to: at.to, page: at.page, step: at.step, placed }
}

/** Returns where programs are sent: to the variants with the highest weights, and where visitors go who are not known. */
export const programTarget = (entry: Entry): Target => {
  let at = entry
  while (isEntrySplit(at)) {
    const { weights, branches }: EntrySplit = at
    const isFirst = weights !== null && weights[0] >= weights[1]
    at = (branches[isFirst ? 0 : 1] ?? branches[isFirst ? 1 : 0])!
  }
  return at.to
}
