import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { isUnused } from '../data-directory/marker.ts'
import { settingsOf } from './session.ts'

const makers = new WeakSet<Command>()

/** Declares that a command makes an installation where there is none. */
export const makesInstallation = (command: Command): Command => {
  makers.add(command)
  return command
}

/** Whether a command makes an installation where there is none. All others need one. */
export const isMaker = (command: Command): boolean => makers.has(command)

/** @throws {Error} when a command needs an installation, and there is none where it looks */
export const needInstallation = (command: Command): void => {
  if (isMaker(command)) return
  const { data } = command.opts<{ readonly data?: string }>()
  const config = readConfig(settingsOf({ MILLRACE_DATA: data }))
  // Nothing is kept in the directory then.
  if (config.eventStoreUrl && config.mongoUrl) return
  if (!isUnused(config.data)) return
  throw new Error(
    `there is no installation of Millrace in ${config.data}. ` +
      'Say where it is with --data or MILLRACE_DATA, or make one with `millrace start`.',
  )
}
