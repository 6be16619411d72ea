import { decider } from '../../kernel/decide/decider.ts'
import { workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { placement } from './model.ts'

export const placements = decider(placement)

/** Placements have no endpoints of their own: statistics are made of them. */
export const placementResource = serve(placement, placements, {
  title: 'Visits::Placement',
  root: 'visits_placement',
  category: 'funnels',
  under: workspace,
  ids: 'timeOrdered',
  operations: {},
})
