import type { Family } from '../resources/family.ts'
import { stepResource, triggerResource, versionResource, workflowResource } from './workflow/index.ts'

/** Workflows with their triggers, steps and versions. */
export const workflows: Family = {
  resources: [workflowResource, triggerResource, stepResource, versionResource],
}
