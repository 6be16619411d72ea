import type { Config } from '../config.ts'
import { connectionBounds, openPort, type Port } from './listening.ts'
import { starting, startingPages } from './starting.ts'

/** Connections at once. Programs that use the API keep many open. */
const API = { total: 8000, each: 4000, requestMs: 60_000 }
/** Those of strangers. Those of one address are many where people share it. */
const PUBLIC = { total: 2000, each: 500, requestMs: 30_000 }
/** Browsers keep one or two open, and many people share an address. */
const SDK = { total: 4000, each: 500, requestMs: 30_000 }
/** Each agent keeps a few open. */
const AGENTS = { total: 2000, each: 500, requestMs: 60_000 }

/** Ports of a process; all but that of the API are there only with the role `api`. */
export interface Ports {
  readonly api: Port
  readonly public: Port | undefined
  readonly sdk: Port | undefined
  readonly agents: Port | undefined
}

/**
 * Opens the ports of a process before it has anything to serve: until then they say that it starts.
 *
 * @throws {Error} when one is taken
 */
export const openPorts = async ({
  host,
  port,
  publicPort,
  sdkPort,
  mcpPort,
  proxies,
  roles,
}: Pick<Config, 'host' | 'port' | 'publicPort' | 'sdkPort' | 'mcpPort' | 'proxies' | 'roles'>): Promise<Ports> => {
  const open = (at: number, setting: string, bounds: typeof API, answer = starting) =>
    openPort(answer, { host, port: at, setting }, connectionBounds(bounds, proxies))
  const api = await open(port, 'MILLRACE_PORT', API)
  if (!roles.includes('api')) return { api, public: undefined, sdk: undefined, agents: undefined }
  return {
    api,
    public: await open(publicPort, 'MILLRACE_PUBLIC_PORT', PUBLIC, startingPages),
    sdk: await open(sdkPort, 'MILLRACE_SDK_PORT', SDK),
    agents: await open(mcpPort, 'MILLRACE_MCP_PORT', AGENTS),
  }
}
