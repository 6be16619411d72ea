import { Command } from 'commander'
import { addApps } from './commands/apps.ts'
import { addClock } from './commands/clock.ts'
import { addCopy } from './commands/copy.ts'
import { addDomains } from './commands/domains.ts'
import { addEvents } from './commands/events.ts'
import { addFailures } from './commands/failures.ts'
import { addKeys } from './commands/keys.ts'
import { addMails } from './commands/mails.ts'
import { addRebuild } from './commands/rebuild.ts'
import { addStart } from './commands/start.ts'
import { addStats } from './commands/stats.ts'
import { addUpkeep } from './commands/upkeep.ts'
import { addUsers } from './commands/users.ts'
import { addWebhooks } from './commands/webhooks.ts'
import { addWorkspace } from './commands/workspace.ts'
import { needInstallation } from './installation.ts'

/** Returns the command line with all its commands. */
export const createProgram = (): Command => {
  const program = new Command('millrace')
    .description('A self-hosted, event-sourced funnel platform')
    .showHelpAfterError()
  for (const add of [
    addStart,
    addRebuild,
    addKeys,
    addApps,
    addUsers,
    addEvents,
    addWorkspace,
    addWebhooks,
    addFailures,
    addMails,
    addDomains,
    addClock,
    addStats,
    addUpkeep,
    addCopy,
  ])
    add(program)
  return program.hook('preAction', (_, command) => needInstallation(command))
}
