import { SCOPES } from '../../../domain/kernel/values/scopes.ts'
import type { AgentService } from '../service.ts'

/** Path of the agent server. */
export const ENDPOINT = '/mcp'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** Paths of the metadata: of the host, and of the endpoint on it (RFC 9728, 3.1). */
export const METADATA_PATHS: readonly string[] = [WELL_KNOWN, WELL_KNOWN + ENDPOINT]

/** Returns the address of the metadata, as answers to refused clients name it. */
export const metadataUrl = ({ agentsUrl }: AgentService): string => new URL(METADATA_PATHS[1]!, agentsUrl).href

/** Returns the metadata from which agents learn where to ask for tokens (RFC 9728). */
export const metadataOf = ({ agentsUrl, accountsUrl }: AgentService) => ({
  resource: agentsUrl,
  authorization_servers: [accountsUrl],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Millrace',
  resource_documentation: `${accountsUrl}/api/v2/reference`,
})
