import type { Family } from '../resources/family.ts'
import { domain } from './domain.ts'
import { defaultDomainFollowsSubdomain, firstThemeIsDefault, workspacesBeginWithSite } from './policies.ts'
import { siteResource } from './site/index.ts'
import { styleResource, themeResource } from './theme/index.ts'

/** Site, domains and themes of the pages of a workspace. */
export const sites: Family = {
  resources: [siteResource, domain, themeResource, styleResource],
  policies: [workspacesBeginWithSite, firstThemeIsDefault, defaultDomainFollowsSubdomain],
}
