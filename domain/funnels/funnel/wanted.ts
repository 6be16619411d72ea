import type { Json } from '../../kernel/values/event.ts'
import type { Branch } from './tree.ts'

/** An id as a client sent it and as it was understood; 0 is the id of nothing. */
export type Ref = { readonly id: number; readonly sent: string }

/** Products to attach to a step; both lists only ever add. */
export type WantedProducts = {
  readonly mains: readonly Ref[]
  readonly bumps: readonly (Ref & { readonly preheadline?: string })[]
}

/** A page that comes onto a step. */
export type ArrivingPage = {
  readonly pageId: number
  readonly external: boolean
  readonly name: string
  /** Slug wanted for the step; absent: made from the name. */
  readonly path?: string
}

/** What is wanted of a new step: where it stands, last unless positioned by the step before it or among the top-level steps. */
export type PlacedPage = {
  readonly page: ArrivingPage
  readonly after?: number | undefined
  readonly sortOrder?: number | undefined
  readonly products?: WantedProducts | undefined
}

/** A page that moves onto another step, or within its sequence; products go to the step that it is then on. */
export type ArrangedPage = {
  readonly page: ArrivingPage
  readonly onto?: number | undefined
  readonly sortOrder?: number | undefined
  readonly products?: WantedProducts | undefined
}

export type LeavingPage = { readonly pageId: number }
export type DetachedProducts = { readonly pageId: number; readonly detached: readonly Ref[] }

/** A page that a client names for a slot of a split, with ids for the step that would show it. */
export type Slot = { readonly pageId: number; readonly stepId: number; readonly showPageStepId: number }

export type WantedVariant = {
  /** `undefined`: not sent; `null`: sent without a value. */
  readonly slot?: Slot | null
  readonly weight?: Json
  readonly unsupported: readonly string[]
}

export type WantedBranch = {
  readonly single?: Slot
  readonly sequence?: readonly Slot[]
  readonly unsupported: readonly string[]
}

/** `raw` when the client named a number where a public id is asked for. */
export type WantedCondition = { readonly raw: true } | { readonly raw: false; readonly filterId: number }

/** What is wanted of a split. */
export type WantedSplit = {
  readonly variants?: readonly WantedVariant[]
  readonly branches?: readonly WantedBranch[]
  readonly condition?: WantedCondition
  /** The function of the step that the split goes behind; absent: at the entry of the funnel. */
  readonly anchor?: number
  /** The branch that goes with the split, when it goes. */
  readonly drop?: Branch | 'both'
}
