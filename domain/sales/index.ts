import type { Family } from '../resources/family.ts'
import { noteResource, opportunityResource } from './opportunity/index.ts'
import { pipelineResource, stageResource } from './pipeline/index.ts'
import { workspacesBeginWithPipeline } from './policies.ts'

/** Pipelines with their stages, and opportunities with their notes. */
export const sales: Family = {
  resources: [pipelineResource, stageResource, opportunityResource, noteResource],
  policies: [workspacesBeginWithPipeline],
}
