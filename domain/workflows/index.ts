import type { Family } from '../resources/family.ts'
import { notification } from './notification.ts'
import { brokenStepsAreNoted, deletedContactsLeaveRuns, disabledWorkflowsCancelRuns } from './policies.ts'
import { passResource, runResource } from './run/index.ts'
import { runWorkflowAction } from './run/run-action.ts'
import { stepResource, triggerResource, versionResource, workflowResource } from './workflow/index.ts'

/** Workflows with their triggers, steps and versions, and the runs of contacts through them. */
export const workflows: Family = {
  resources: [
    workflowResource,
    triggerResource,
    stepResource,
    versionResource,
    runResource,
    passResource,
    notification,
    runWorkflowAction.resource,
  ],
  jobs: [runWorkflowAction],
  policies: [disabledWorkflowsCancelRuns, deletedContactsLeaveRuns, brokenStepsAreNoted],
}
