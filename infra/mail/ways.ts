import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { MailWays } from '../../workers/mail/mail-deps.ts'
import { fileTransport } from './files.ts'
import type { MailSettings } from './settings.ts'
import { signingKeys } from './signing.ts'
import { smtpTransport } from './smtp.ts'

/** Opens the ways by which mails leave the house. */
export const openMailWays = (
  { servers, sharedDomain, rates, copyAfterMs, isIdle = false }: MailSettings,
  stores: { readonly blobs: Blobs; readonly vault: Vault; readonly live: ReadModels },
): MailWays => ({
  smtp: servers.length === 0 ? undefined : smtpTransport(servers),
  files: fileTransport(stores),
  sharedDomain,
  rates,
  copyAfterMs,
  isIdle,
  signingKey: signingKeys(stores),
})
