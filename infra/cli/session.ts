import { type Config, type Role, readConfig, type Settings } from '../config.ts'
import { type ControlClient, controlClient, statusOf } from '../control/client.ts'
import { controlSocketOf } from '../data-directory/claim.ts'

/** Returns the environment with the settings that flags give, under the names of their environment variables. */
export const settingsOf = (flags: Readonly<Record<string, string | undefined>>): Settings => {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined)
  return { ...process.env, ...Object.fromEntries(given) }
}

/** Loaded only when it is needed: it is most of the program, and a command that a running service carries out needs none of it. */
const withOwnStores = async <T>(
  config: Config,
  action: (client: ControlClient, config: Config) => Promise<T>,
  roles?: readonly Role[],
) => (await import('./own-stores.ts')).withOwnStores(config, action, roles)

/**
 * Runs an operator's action in the process that has the data directory: the running service or, when there is none, this
 * process for as long as the action takes. Stores on servers are shared, so this process always opens them itself.
 *
 * @param roles what this process does meanwhile, where it opens the stores; default: everything, unless they are shared
 */
export const withControl = async <T>(
  settings: Settings,
  action: (client: ControlClient, config: Config) => Promise<T>,
  roles?: readonly Role[],
): Promise<T> => {
  const config = readConfig(settings)
  if (config.eventStoreUrl && config.mongoUrl) return withOwnStores(config, action, roles)
  const socket = controlSocketOf(config.data)
  const status = await statusOf(socket)
  return status && !status.ending ? action(controlClient(socket), config) : withOwnStores(config, action, roles)
}
