import { apiKey } from './account/api-key.ts'
import { membershipResource, teamResource } from './account/team.ts'
import { user } from './account/user.ts'
import { workspaceResource } from './account/workspace.ts'
import { tagAction, unsubscribeAction } from './contacts/actions.ts'
import { appliedTagResource, contactResource } from './contacts/contact/index.ts'
import { tagsLeaveContacts } from './contacts/policies.ts'
import { contactTag } from './contacts/tag.ts'
import { contactFilter } from './filters/contact-filter.ts'
import { refineFilterResource } from './filters/refine-filter/index.ts'
import { funnelResource, showPageStepResource } from './funnels/funnel/index.ts'
import { conditionalSplitResource, splitTestResource } from './funnels/splits/index.ts'
import { funnelTag } from './funnels/tag.ts'
import type { Policy } from './kernel/policy.ts'
import type { Job } from './kinds/job.ts'
import type { Resource } from './kinds/resource.ts'
import { pageResource } from './pages/page/index.ts'
import { deletedPagesLeave } from './pages/policies.ts'
import { noteResource, opportunityResource } from './sales/opportunity/index.ts'
import { pipelineResource, stageResource } from './sales/pipeline/index.ts'
import { workspacesBeginWithPipeline } from './sales/policies.ts'
import { domain } from './sites/domain.ts'
import { defaultDomainFollowsSubdomain, firstThemeIsDefault, workspacesBeginWithSite } from './sites/policies.ts'
import { siteResource } from './sites/site/index.ts'
import { styleResource, themeResource } from './sites/theme/index.ts'
import { webhooks } from './webhooks/index.ts'

/** What is done to many records in the background. */
export const jobs: readonly Job[] = [tagAction, unsubscribeAction]

const families: readonly Resource[] = [
  teamResource,
  membershipResource,
  user,
  workspaceResource,
  apiKey,
  contactResource,
  contactTag,
  appliedTagResource,
  ...jobs.map((job) => job.resource),
  pipelineResource,
  stageResource,
  opportunityResource,
  noteResource,
  refineFilterResource,
  contactFilter,
  siteResource,
  domain,
  themeResource,
  styleResource,
  pageResource,
  funnelResource,
  showPageStepResource,
  splitTestResource,
  conditionalSplitResource,
  funnelTag,
]

/** Every resource that Millrace serves. Nothing is registered anywhere else; webhooks come last, because they stand on what all others publish. */
export const resources: readonly Resource[] = [...families, ...webhooks(families)]

/** How the domain reacts to itself. */
export const policies: readonly Policy[] = [
  tagsLeaveContacts,
  workspacesBeginWithPipeline,
  workspacesBeginWithSite,
  firstThemeIsDefault,
  defaultDomainFollowsSubdomain,
  deletedPagesLeave,
]

/** Events by which the person that their stream is named after is erased: the key goes, whoever asked for it. */
export const erasures: readonly string[] = ['ContactRedacted']
