import { mkdtemp } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Config, ROLES, type Role } from '../config.ts'
import { type ControlClient, controlClient } from '../control/client.ts'
import { serveControl } from '../control/serve.ts'
import { controlSocketOf } from '../data-directory/claim.ts'
import { outboundClient } from '../outbound/client.ts'
import { listenForOwner } from '../owner-only.ts'
import { startBackground } from '../runtime/background.ts'
import { coreOptionsIn } from '../runtime/core.ts'
import { openLogger } from '../runtime/logger.ts'
import { openStores } from '../stores/open.ts'

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
export const withOwnStores = async <T>(
  config: Config,
  action: (client: ControlClient, config: Config) => Promise<T>,
  given?: readonly Role[],
): Promise<T> => {
  const logger = await openLogger('warn', config.logFormat)
  const stores = await openStores(config, logger)
  const fail = (error: unknown) => {
    throw error
  }
  const outbound = outboundClient({ allowPrivate: config.allowPrivateTargets })
  const roles = given ?? (stores.shared ? [] : ROLES)
  const background = await startBackground(stores, logger, fail, roles, outbound, {
    ...coreOptionsIn(config),
    mail: { ...config.mail, isIdle: true },
  })
  const socket = stores.control ? { server: stores.control, path: controlSocketOf(config.data) } : await ownSocket()
  serveControl(socket.server, background, () => ({ ending: true }))
  try {
    return await action(controlClient(socket.path), config)
  } finally {
    await background.stop()
  }
}
