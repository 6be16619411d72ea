import type { Family } from '../resources/family.ts'
import { domain } from './domain.ts'
import { defaultDomainFollowsSubdomain, firstThemeIsDefault, workspacesBeginWithSite } from './policies.ts'
import { siteResource } from './site/index.ts'
import { styleResource, themeResource } from './theme/index.ts'

/** Where the pages of a workspace are, and how they look. */
export const sites: Family = {
  resources: [siteResource, domain, themeResource, styleResource],
  policies: [workspacesBeginWithSite, firstThemeIsDefault, defaultDomainFollowsSubdomain],
}
