import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import type { Sender } from '../mailing/model.ts'
import { settingsOf } from '../settings/view.ts'
import { address } from './model.ts'
import { usableSenders } from './usable.ts'

/** Returns an address as the sender of a mail, if there is one. */
export const senderWith = async (id: number | null, read: FactReader): Promise<Sender | undefined> => {
  const found = await readerOver(read).one(address, id)
  return found && { name: found.name, address: found.email_address }
}

/**
 * Returns who marketing mail of a workspace is from: the address that is named, or else that of the settings, or else the oldest that is usable.
 * `undefined`: it is not usable, or there is none. Another one never takes the place of the one that is named.
 */
export const marketingSender = async (
  workspaceId: number,
  named: number | null,
  read: FactReader,
): Promise<Sender | undefined> => {
  const usable = await usableSenders(workspaceId, read)
  if (named !== null) return usable.has(named) ? senderWith(named, read) : undefined
  const { marketing_emails_from_address_id: own } = await settingsOf(workspaceId, read)
  const [oldest = null] = [...usable].sort((a, b) => a - b)
  return senderWith(own !== null && usable.has(own) ? own : oldest, read)
}

/** Returns where answers to marketing mail of a workspace go: to the address that is named, or else that of the settings. `undefined`: to its sender. */
export const marketingReplyTo = async (
  workspaceId: number,
  named: number | null,
  read: FactReader,
): Promise<Sender | undefined> =>
  senderWith(named ?? (await settingsOf(workspaceId, read)).marketing_emails_reply_to_address_id, read)
