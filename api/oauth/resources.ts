import { isAgent } from './registration/agent-client.ts'
import type { Audience } from './scopes.ts'

/** Addresses for which tokens are issued. */
export interface Resources {
  /** Address of the API, without a slash at the end. */
  readonly api: string
  /** Address of the agent server, with its path. */
  readonly agents: string
}

/** Returns whom the tokens of a client are for: agents reach the agent server alone, all others the API alone. */
export const audienceOf = (clientId: string): Audience => (isAgent(clientId) ? 'agents' : 'api')

const normal = (address: string): string => (URL.canParse(address) ? new URL(address).href : address).replace(/\/$/, '')

/** Returns the address that a client means; any that it may not name as it is. */
export const resourceMeant = (named: string, clientId: string, { api, agents }: Resources): string => {
  const bare = normal(named)
  if (audienceOf(clientId) === 'agents') {
    return bare === agents || bare === new URL(agents).origin ? agents : named
  }
  return bare === api || bare === `${api}/api/v2` ? api : named
}

/** Returns the address for which a client gets tokens. */
export const resourceOf = (clientId: string, resources: Resources): string => resources[audienceOf(clientId)]
