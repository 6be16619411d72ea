import type { Family } from '../resources/family.ts'
import { noteResource, opportunityResource } from './opportunity/index.ts'
import { pipelineResource, stageResource } from './pipeline/index.ts'
import { workspacesBeginWithPipeline } from './policies.ts'

/** Possible sales, and the ways that they go. */
export const sales: Family = {
  resources: [pipelineResource, stageResource, opportunityResource, noteResource],
  policies: [workspacesBeginWithPipeline],
}
