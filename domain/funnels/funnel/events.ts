import type { JsonObject } from '../../kernel/event.ts'
import { firstVersions } from '../../kernel/event-types.ts'
import type { Branch, FilterRef, PageNode, Place, SplitNode } from './tree.ts'

export interface AttachedProduct extends JsonObject {
  readonly product_id: number
  readonly bump: boolean
  readonly bump_preheadline: string | null
}

export interface StepRef extends JsonObject {
  readonly show_page_step_id: number
  readonly page_id: number
}

/** Code that is injected into pages; `null` for none. */
export interface Code extends JsonObject {
  readonly head_code?: string | null
  readonly footer_code?: string | null
}

/** Storage formats: change them only together with an upcast. An index counts the steps of its container before the event. */
export type FunnelEvent =
  | {
      readonly type: 'FunnelCreated'
      readonly data: {
        readonly name: string
        readonly current_path: string
        readonly domain_id: number | null
        readonly tag_ids: readonly number[]
        readonly head_code: string | null
        readonly footer_code: string | null
      }
    }
  | { readonly type: 'FunnelRenamed'; readonly data: { readonly name: string } }
  | { readonly type: 'FunnelDomainChosen'; readonly data: { readonly domain_id: number | null } }
  | { readonly type: 'FunnelCodeSet'; readonly data: Code }
  | { readonly type: 'FunnelWentLive'; readonly data: Record<string, never> }
  | { readonly type: 'FunnelReturnedToTest'; readonly data: Record<string, never> }
  | { readonly type: 'StepPlaced'; readonly data: { readonly step: PageNode; readonly place: Place } }
  /** A step shows another page; the former one stays in the workspace without a step. */
  | {
      readonly type: 'PageSwapped'
      readonly data: StepRef & {
        readonly step_id: number
        readonly former_page_id: number
        readonly current_path: string | null
        readonly place: Place
      }
    }
  /** A page goes elsewhere together with its step. `place` counts without the step itself. */
  | {
      readonly type: 'PageMoved'
      readonly data: StepRef & { readonly step_id: number; readonly from: Place; readonly place: Place }
    }
  | { readonly type: 'StepRemoved'; readonly data: StepRef & { readonly step_id: number; readonly from: Place } }
  /** Comes with empty branches; what goes into them follows in events of its own. */
  | { readonly type: 'SplitInserted'; readonly data: { readonly split: SplitNode; readonly place: Place } }
  /** The steps of the branch that is kept take the split's place; the others are gone, their pages stay in the workspace. */
  | {
      readonly type: 'SplitCollapsed'
      readonly data: {
        readonly split_id: number
        readonly kept: Branch | null
        readonly dropped_steps: readonly StepRef[]
        readonly dropped_split_ids: readonly number[]
      }
    }
  | {
      readonly type: 'VariantsWeighted'
      readonly data: { readonly split_id: number; readonly weights: readonly [number, number] }
    }
  | { readonly type: 'SplitConditionSet'; readonly data: { readonly split_id: number; readonly filter: FilterRef } }
  | {
      readonly type: 'ProductsAttached'
      readonly data: { readonly show_page_step_id: number; readonly products: readonly AttachedProduct[] }
    }
  | {
      readonly type: 'ProductPromotedToBump' | 'BumpPreheadlineSet'
      readonly data: {
        readonly show_page_step_id: number
        readonly product_id: number
        readonly bump_preheadline: string | null
      }
    }
  | {
      readonly type: 'ProductsDetached'
      readonly data: { readonly show_page_step_id: number; readonly product_ids: readonly number[] }
    }

export const funnelEvents = firstVersions<FunnelEvent['type']>(
  'FunnelCreated',
  'FunnelRenamed',
  'FunnelDomainChosen',
  'FunnelCodeSet',
  'FunnelWentLive',
  'FunnelReturnedToTest',
  'StepPlaced',
  'PageSwapped',
  'PageMoved',
  'StepRemoved',
  'SplitInserted',
  'SplitCollapsed',
  'VariantsWeighted',
  'SplitConditionSet',
  'ProductsAttached',
  'ProductPromotedToBump',
  'BumpPreheadlineSet',
  'ProductsDetached',
)
