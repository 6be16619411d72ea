import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Sender } from '../mailing/model.ts'
import { businessName, settingsOf } from '../settings/view.ts'
import { LOCAL_DOMAIN } from './local-domain.ts'
import { address } from './model.ts'
import { usableSenders } from './usable.ts'

/** Returns an address as the sender of a mail, if there is one. */
export const senderWith = async (id: number | null, read: FactReader): Promise<Sender | undefined> => {
  const found = await readerOver(read).one(address, id)
  return found && { name: found.name, address: found.email_address }
}

/** Returns the first of the preferred addresses that is usable, or else the oldest that is. `null`: none is. */
const chosenOf = (usable: ReadonlySet<number>, preferred: readonly (number | null)[]): number | null => {
  const [oldest = null] = [...usable].sort((a, b) => a - b)
  return preferred.find((id) => id !== null && usable.has(id)) ?? oldest
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
  return senderWith(chosenOf(usable, [own]), read)
}

/** A sender, and whom answers go to. */
export interface OwedSender {
  readonly sender: Sender
  readonly replyTo: Sender | null
}

/** Name of the sender that owed mail is from in workspaces that have none of their own. No workspace can have it. */
export const NO_REPLY = 'no-reply'

/**
 * Returns who owed mail of a workspace is from: the sender of the settings for such mail, or else that for marketing, or else the oldest that is usable, or
 * else an address at the domain that all share. `undefined`: there is no such domain either.
 */
export const owedSender = async (
  workspace: Document,
  sharedDomain: string | undefined,
  read: FactReader,
): Promise<OwedSender | undefined> => {
  const workspaceId = Number(workspace.id)
  const usable = await usableSenders(workspaceId, read)
  const settings = await settingsOf(workspaceId, read)
  const preferred = [settings.system_emails_from_address_id, settings.marketing_emails_from_address_id]
  const own = await senderWith(chosenOf(usable, preferred), read)
  const shared = sharedDomain && {
    name: await businessName(workspace, read),
    address: `${NO_REPLY}@${sharedDomain}`,
  }
  const sender = own ?? (shared || undefined)
  const replyTo = (await senderWith(settings.system_emails_reply_to_address_id, read)) ?? null
  return sender && { sender, replyTo }
}

/** Returns where answers to marketing mail of a workspace go: to the address that is named, or else that of the settings. `undefined`: to its sender. */
export const marketingReplyTo = async (
  workspaceId: number,
  named: number | null,
  read: FactReader,
): Promise<Sender | undefined> =>
  senderWith(named ?? (await settingsOf(workspaceId, read)).marketing_emails_reply_to_address_id, read)

/**
 * Whether mail may still be from a sender that was chosen before: nobody has archived it since, or given it another address. That from which owed mail of
 * workspaces without a sender comes is nobody's to archive.
 */
export const isSenderKept = async (
  workspaceId: number,
  { address: chosen }: Pick<Sender, 'address'>,
  sharedDomain: string | undefined,
  read: Pick<FactReader, 'find'>,
): Promise<boolean> => {
  if ([sharedDomain, LOCAL_DOMAIN].some((domain) => chosen === `${NO_REPLY}@${domain}`)) return true
  const senders = await read.find(address.name, { where: { workspace_id: workspaceId } })
  return senders.some(({ email_address }) => email_address === chosen)
}
