import { Type } from 'typebox'
import type { FactReader } from '../../kernel/decide/command.ts'
import { initialFieldsOf, recordOf } from '../../kernel/model/fold.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { nullable, nullableString } from '../../resources/schemas.ts'
import { address } from '../address/model.ts'
import { mailSettings } from './model.ts'

/** Addresses that mail is from unless it says otherwise. */
export const SENDERS = [
  'system_emails_from_address',
  'system_emails_reply_to_address',
  'marketing_emails_from_address',
  'marketing_emails_reply_to_address',
] as const

export const settingsSchema = Type.Object({
  workspace_id: Type.Integer(),
  ...Object.fromEntries(
    SENDERS.map((name) => [name, nullable(Type.Object({ email_address: Type.String(), name: nullableString }))]),
  ),
  address: nullable(
    Type.Object({
      address_one: Type.String(),
      address_two: nullableString,
      city: Type.String(),
      postal_code: Type.String(),
      region: nullableString,
      region_name: nullableString,
      country: nullableString,
    }),
  ),
  address_complete: Type.Boolean({ description: 'Whether marketing mail may be sent' }),
  name: nullableString,
  address_single_line: Type.Boolean(),
  hide_branding: Type.Boolean(),
  unsubscribe_footer: nullableString,
  footer_alignment: Type.Enum(['left', 'center', 'right']),
})

const open = recordOf(mailSettings)

/** Returns the settings of a workspace; empty ones for a workspace that has set nothing. */
export const settingsOf = async (workspaceId: number, read: Pick<FactReader, 'get'>) =>
  open((await read.get(mailSettings.name, workspaceId)) ?? initialFieldsOf(mailSettings))

/** Whether the business address of a workspace is complete, without which it sends no marketing mail. */
export const isAddressComplete = async (workspaceId: number, read: Pick<FactReader, 'get'>): Promise<boolean> => {
  const { name, address: business } = await settingsOf(workspaceId, read)
  return name !== null && name !== '' && business !== null
}

/** Presents the settings of a workspace. */
export const presentSettings = async (
  workspaceId: number,
  read: Pick<FactReader, 'get' | 'getMany'>,
): Promise<JsonObject> => {
  const settings = await settingsOf(workspaceId, read)
  const { name, address: business, address_single_line, hide_branding, unsubscribe_footer, footer_alignment } = settings
  const ids = SENDERS.map((sender) => settings[`${sender}_id`])
  const found = await read.getMany(
    address.name,
    ids.map((id) => id ?? 0),
  )
  const senders = SENDERS.map((sender, index) => {
    const one = found[index]
    return [sender, one ? { email_address: String(one.email_address), name: String(one.name) } : null] as const
  })
  return {
    workspace_id: workspaceId,
    ...Object.fromEntries(senders),
    address: business,
    address_complete: await isAddressComplete(workspaceId, read),
    ...{ name, address_single_line, hide_branding, unsubscribe_footer, footer_alignment },
  }
}

/** Returns the name of the business that a workspace is: that of its settings of mail, or its own. */
export const businessName = async (workspace: Document, read: Pick<FactReader, 'get'>): Promise<string> =>
  (await settingsOf(Number(workspace.id), read)).name || String(workspace.name)
