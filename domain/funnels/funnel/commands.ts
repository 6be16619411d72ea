import type { Command } from '../../kernel/decider.ts'
import type { JsonObject } from '../../kernel/event.ts'

/** An id as a client sent it and as it was understood; 0 is the id of nothing. */
export interface Ref {
  readonly id: number
  readonly sent: string
}

/** Products to attach to a step; both lists only ever add. */
export interface ProductWish {
  readonly mains: readonly Ref[]
  readonly bumps: readonly (Ref & { readonly preheadline?: string })[]
}

/** A page that comes onto a step. */
export interface Newcomer {
  readonly pageId: number
  readonly external: boolean
  readonly name: string
  /** Slug wanted for the step; absent: made from the name. */
  readonly path?: string
}

/** Ids for a step that comes into being. */
export interface StepIds {
  readonly stepId: number
  readonly showPageStepId: number
}

/** A page that a client names for a slot of a split, with ids for the step that would show it. */
export interface Slot extends StepIds {
  readonly pageId: number
}

export interface VariantWish {
  /** `undefined`: not sent; `null`: sent without a value. */
  readonly slot?: Slot | null
  readonly weight?: unknown
  readonly unsupported: readonly string[]
}

export interface BranchWish {
  readonly single?: Slot
  readonly sequence?: readonly Slot[]
  readonly unsupported: readonly string[]
}

/** Where a split goes: behind the step with this function, or to the entry of the funnel. */
export interface Anchored {
  readonly anchor?: number
}

/** The wished condition; `raw` when the client named a number where a public id is asked for. */
export type ConditionWish = { readonly raw: true } | { readonly raw: false; readonly filterId: number }

export interface FunnelFields {
  readonly name?: string
  readonly live_mode?: boolean
  readonly domain_id?: number | null
  readonly tag_ids?: readonly number[]
}

export interface FunnelWish {
  readonly fields: FunnelFields
  /** Code as sent, each field beside its mode. */
  readonly code: JsonObject
}

export type FunnelCommand = Command &
  (
    | ({ readonly type: 'CreateFunnel'; readonly workspaceId: number; readonly path: string } & FunnelWish & {
          /** Tells the path from that of another funnel, where the path was made from the name. */
          readonly suffix?: string
        })
    | ({ readonly type: 'ChangeFunnel' } & FunnelWish)
    /** A new step that shows a page; last unless positioned by the step before it or by its place among the top-level steps. */
    | ({
        readonly type: 'PlacePage'
        readonly page: Newcomer
        readonly after?: number
        readonly sortOrder?: number
        readonly products?: ProductWish
      } & StepIds)
    /** Moves a page onto another step, or within its container, and attaches products to the step that it is then on. */
    | {
        readonly type: 'ArrangePage'
        readonly page: Newcomer
        readonly onto?: number
        readonly sortOrder?: number
        readonly products?: ProductWish
      }
    | { readonly type: 'RemovePage'; readonly pageId: number }
    | { readonly type: 'DetachProducts'; readonly pageId: number; readonly products: readonly Ref[] }
    | ({
        readonly type: 'InsertSplitTest'
        readonly splitId: number
        readonly variants: readonly VariantWish[]
      } & Anchored)
    | { readonly type: 'ChangeSplitTest'; readonly splitId: number; readonly variants: readonly VariantWish[] }
    | ({
        readonly type: 'InsertConditionalSplit'
        readonly splitId: number
        readonly condition?: ConditionWish
        readonly branches: readonly BranchWish[]
      } & Anchored)
    | {
        readonly type: 'ChangeConditionalSplit'
        readonly splitId: number
        readonly condition?: ConditionWish
        readonly branches?: readonly BranchWish[]
      }
    | { readonly type: 'CollapseSplit'; readonly splitId: number; readonly drop: 0 | 1 | 'both' }
  )

export type CommandOf<T extends FunnelCommand['type']> = Extract<FunnelCommand, { readonly type: T }>
