import type { Family } from '../resources/family.ts'
import { blogResource } from './blog/index.ts'
import { domainResource } from './domain/index.ts'
import {
  defaultDomainFollowsSubdomain,
  firstThemeIsDefault,
  lastDomainLeavesTheFirst,
  workspacesBeginWithSite,
} from './policies.ts'
import { siteResource } from './site/index.ts'
import { styleResource, themeResource } from './theme/index.ts'

/** Site with its blog, domains and themes of the pages of a workspace. */
export const sites: Family = {
  resources: [siteResource, blogResource, domainResource, themeResource, styleResource],
  policies: [workspacesBeginWithSite, firstThemeIsDefault, defaultDomainFollowsSubdomain, lastDomainLeavesTheFirst],
}
