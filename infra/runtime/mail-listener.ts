import type { Logger } from 'pino'
import { mailReports } from '../../api/mail/reports.ts'
import type { Config } from '../config.ts'
import { type MailListener, startMailListener } from '../mail-intake/listener.ts'
import type { Background } from './background.ts'

/** Receives reports about mails, where the configuration has a port for them. @throws {Error} when the address is taken */
export const startMailReports = async (
  { core, stores }: Background,
  { host, mailPort, mailDomain = 'localhost' }: Config,
  logger: Logger,
): Promise<MailListener | undefined> => {
  if (mailPort === undefined) return undefined
  const reports = mailReports({
    ...core,
    engine: core.clientEngine,
    everywhere: stores.readModels.live,
    vault: stores.vault,
    logger,
  })
  return startMailListener({ reports, logger, name: mailDomain, host, port: mailPort })
}
