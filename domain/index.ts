import { apiKey } from './account/api-key.ts'
import { membership } from './account/memberships.ts'
import { team } from './account/team.ts'
import { user } from './account/user.ts'
import { workspace } from './account/workspace.ts'
import { tagAction, unsubscribeAction } from './contacts/actions.ts'
import { appliedTag } from './contacts/applied-tag.ts'
import { contact } from './contacts/contact/index.ts'
import { tagsLeaveContacts } from './contacts/policies.ts'
import { contactTag } from './contacts/tag.ts'
import type { Policy } from './kernel/policy.ts'
import type { Resource } from './kernel/resource.ts'
import type { Job } from './kinds/job.ts'
import { note, opportunity } from './sales/opportunity/index.ts'
import { pipeline, stage } from './sales/pipeline/index.ts'
import { workspacesBeginWithPipeline } from './sales/policies.ts'

/** What is done to many records in the background. */
export const jobs: readonly Job[] = [tagAction, unsubscribeAction]

/** Every resource that Millrace serves. Nothing is registered anywhere else. */
export const resources: readonly Resource[] = [
  team,
  membership,
  user,
  workspace,
  apiKey,
  contact,
  contactTag,
  appliedTag,
  ...jobs.map((job) => job.resource),
  pipeline,
  stage,
  opportunity,
  note,
]

/** How the domain reacts to itself. */
export const policies: readonly Policy[] = [tagsLeaveContacts, workspacesBeginWithPipeline]
