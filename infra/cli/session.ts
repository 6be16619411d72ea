import { type Config, readConfig, type Settings } from '../config.ts'
import { type ControlClient, controlClient } from '../control/client.ts'
import { serveControl } from '../control/serve.ts'
import { controlSocketOf } from '../data-directory/claim.ts'
import { startBackground } from '../runtime/background.ts'
import { openEmbeddedStores } from '../runtime/embedded.ts'
import { createLogger } from '../runtime/logger.ts'

/** Settings that flags give, under the names of the environment variables they stand for. */
export const settingsOf = (flags: Readonly<Record<string, string | undefined>>): Settings => {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined)
  return { ...process.env, ...Object.fromEntries(given) }
}

const isAlive = async (client: ControlClient): Promise<boolean> =>
  client.ask('GET', '/status').then(
    () => true,
    () => false,
  )

/**
 * Runs an operator's action in the process that has the data directory: the running service or, when there is none, this
 * process for as long as the action takes.
 */
export const withControl = async <T>(
  settings: Settings,
  action: (client: ControlClient, config: Config) => Promise<T>,
): Promise<T> => {
  const config = readConfig(settings)
  const running = controlClient(controlSocketOf(config.data))
  if (await isAlive(running)) return action(running, config)
  const logger = createLogger('warn')
  const stores = await openEmbeddedStores(config)
  const background = await startBackground(stores, logger, (error) => {
    throw error
  })
  serveControl(stores.control, background, () => ({}))
  try {
    return await action(controlClient(controlSocketOf(config.data)), config)
  } finally {
    await background.stop()
  }
}
