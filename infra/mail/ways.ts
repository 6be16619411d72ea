import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { MailWays } from '../../workers/mail/mail-deps.ts'
import { fileTransport } from './files.ts'
import type { MailSettings } from './settings.ts'
import { signingKeys } from './signing.ts'
import { smtpTransport } from './smtp.ts'

/** Opens the ways by which mails leave the house. */
export const openMailWays = (
  { servers, rates, copyAfterMs, isIdle = false }: MailSettings,
  stores: { readonly blobs: Blobs; readonly vault: Vault; readonly live: ReadModels },
): MailWays => ({
  smtp: servers.length === 0 ? undefined : smtpTransport(servers),
  files: fileTransport(stores),
  rates,
  copyAfterMs,
  isIdle,
  signingKey: signingKeys(stores),
})

/**
 * Returns the position up to which mails wait for the operator's word; -1: none do. A service that has mails to hand over records something every hour, so
 * a log whose last event is older is a copy of former days, whose mails were sent by the original.
 */
export const heldUpTo = async (log: EventLog, { copyAfterMs }: Pick<MailSettings, 'copyAfterMs'>, now: number) => {
  const head = await log.lastPosition()
  const last = head < 0 ? undefined : await log.at(head)
  return last && now - Date.parse(last.metadata.at) > copyAfterMs ? head : -1
}
