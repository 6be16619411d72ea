import { mkdtemp } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Config, ROLES, readConfig, type Settings } from '../config.ts'
import { type ControlClient, controlClient, statusOf } from '../control/client.ts'
import { serveControl } from '../control/serve.ts'
import { controlSocketOf } from '../data-directory/claim.ts'
import { outboundClient } from '../outbound/client.ts'
import { listenForOwner } from '../owner-only.ts'
import { startBackground } from '../runtime/background.ts'
import { openLogger } from '../runtime/logger.ts'
import { openStores } from '../runtime/stores.ts'

/** Returns the environment with the settings that flags give, under the names of their environment variables. */
export const settingsOf = (flags: Readonly<Record<string, string | undefined>>): Settings => {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined)
  return { ...process.env, ...Object.fromEntries(given) }
}

/** Creates a socket for this process and its command, where there is no data directory for one. */
const ownSocket = async (): Promise<{ readonly server: Server; readonly path: string }> => {
  const directory = await mkdtemp(path.join(tmpdir(), 'millrace-'))
  const server = createServer()
  const socket = path.join(directory, 'control.sock')
  await new Promise<void>((resolve) => listenForOwner(server, socket, resolve))
  server.unref()
  return { server, path: socket }
}

/** Runs an action in this process, on the configured stores. */
const withOwnStores = async <T>(
  config: Config,
  action: (client: ControlClient, config: Config) => Promise<T>,
): Promise<T> => {
  const logger = await openLogger('warn', config.logFormat)
  const stores = await openStores(config, logger)
  const fail = (error: unknown) => {
    throw error
  }
  const outbound = outboundClient({ allowPrivate: config.allowPrivateTargets })
  const background = await startBackground(stores, logger, fail, stores.shared ? [] : ROLES, outbound, {
    listenerPort: config.publicPort,
    publicUrl: config.publicUrl,
    answersBytes: config.answersBytes,
    gatewayUrls: config.gatewayUrls,
  })
  const socket = stores.control ? { server: stores.control, path: controlSocketOf(config.data) } : await ownSocket()
  serveControl(socket.server, background, () => ({ ending: true }))
  try {
    return await action(controlClient(socket.path), config)
  } finally {
    await background.stop()
  }
}

/**
 * Runs an operator's action in the process that has the data directory: the running service or, when there is none, this
 * process for as long as the action takes. Stores on servers are shared, so this process always opens them itself.
 */
export const withControl = async <T>(
  settings: Settings,
  action: (client: ControlClient, config: Config) => Promise<T>,
): Promise<T> => {
  const config = readConfig(settings)
  if (config.eventStoreUrl && config.mongoUrl) return withOwnStores(config, action)
  const socket = controlSocketOf(config.data)
  const status = await statusOf(socket)
  return status && !status.ending ? action(controlClient(socket), config) : withOwnStores(config, action)
}
