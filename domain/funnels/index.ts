import type { Family } from '../resources/family.ts'
import { funnelResource, showPageStepResource } from './funnel/index.ts'
import { conditionalSplitResource, splitTestResource } from './splits/index.ts'
import { funnelTag } from './tag.ts'

/** Funnels with their steps and splits. */
export const funnels: Family = {
  resources: [funnelResource, showPageStepResource, splitTestResource, conditionalSplitResource, funnelTag],
}
