import { Type } from 'typebox'
import type { FactReader } from '../../kernel/decide/command.ts'
import { initialFieldsOf, recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Shown } from '../../resources/operation.ts'
import { nullable, nullableString } from '../../resources/schemas.ts'
import type { Loader } from '../../resources/view-types.ts'
import { address } from '../address/model.ts'
import { mailSettings } from './model.ts'

/** Addresses that mail is from unless it says otherwise. */
export const SENDERS = [
  'system_emails_from_address',
  'system_emails_reply_to_address',
  'marketing_emails_from_address',
  'marketing_emails_reply_to_address',
] as const

const settingsSchema = Type.Object({
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

const isComplete = ({ name, address: business }: RecordOf<typeof mailSettings>): boolean =>
  name !== null && name !== '' && business !== null

/** Whether the business address of a workspace is complete, without which it sends no marketing mail. */
export const isAddressComplete = async (workspaceId: number, read: Pick<FactReader, 'get'>): Promise<boolean> =>
  isComplete(await settingsOf(workspaceId, read))

/** What is shown of the settings of a workspace. Those of a workspace that has set nothing are empty. */
export const settingsShown: Shown = {
  schema: settingsSchema,
  async of(document, load) {
    const settings = open({ ...initialFieldsOf(mailSettings), ...document })
    const { address: business, address_single_line, hide_branding, unsubscribe_footer, footer_alignment } = settings
    const senders = SENDERS.map(async (sender) => {
      const one = await load.one(address.name, settings[`${sender}_id`])
      return [sender, one ? { email_address: String(one.email_address), name: String(one.name) } : null] as const
    })
    return {
      workspace_id: document.id,
      ...Object.fromEntries(await Promise.all(senders)),
      address: business,
      address_complete: isComplete(settings),
      ...{ name: settings.name, address_single_line, hide_branding, unsubscribe_footer, footer_alignment },
    }
  },
}

/** Returns the settings of a workspace as they are, or a document with nothing but their id. */
export const settingsAt = async (owner: Document | undefined, load: Pick<Loader, 'one'>): Promise<Document> =>
  (await load.one(mailSettings.name, Number(owner?.id))) ?? { id: Number(owner?.id) }

/** Returns the name of the business that a workspace is: that of its settings of mail, or its own. */
export const businessName = async (workspace: Document, read: Pick<FactReader, 'get'>): Promise<string> =>
  (await settingsOf(Number(workspace.id), read)).name || String(workspace.name)
