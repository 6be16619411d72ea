import type { Json } from '../../kernel/values/event.ts'
import type { Branch } from './tree.ts'

/** Parsed id, with the text that the client sent; 0 for a text that is no id. */
export type Ref = { readonly id: number; readonly sent: string }

/** Products to attach to a step. Neither list removes products. */
export type WantedProducts = {
  readonly mains: readonly Ref[]
  readonly bumps: readonly (Ref & { readonly preheadline?: string })[]
}

/** Page that a step is to show. */
export type ArrivingPage = {
  readonly pageId: number
  readonly external: boolean
  readonly name: string
  /** Wanted slug of the step; absent: made from the name. */
  readonly path?: string
}

/** Input for a new step. It goes after the step `after`, or to `sortOrder` among the top-level steps, or last. */
export type PlacedPage = {
  readonly page: ArrivingPage
  readonly after?: number | undefined
  readonly sortOrder?: number | undefined
  readonly products?: WantedProducts | undefined
}

/** Input for moving a page onto another step or within its sequence. Products are attached to the step that it is on afterwards. */
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

/** Highest number of pages that one request puts into a branch. */
export const MOST_PAGES = 100

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

/** `raw`: the client sent a number where a public id is required. */
export type WantedCondition = { readonly raw: true } | { readonly raw: false; readonly filterId: number }

/** Input for a split. */
export type WantedSplit = {
  readonly variants?: readonly WantedVariant[]
  readonly branches?: readonly WantedBranch[]
  readonly condition?: WantedCondition
  /** Show page step id of the step that the split goes after; absent: at the entry of the funnel. */
  readonly anchor?: number
  /** Branch that is removed with the split; default both. */
  readonly drop?: Branch | 'both'
}
