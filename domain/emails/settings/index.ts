import { addressCountry, regionIn } from '../../addresses/public.ts'
import { choice, group, text } from '../../kernel/model/fields.ts'
import { isJsonObject, type JsonObject } from '../../kernel/values/event.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { read, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { saves, sentFields } from '../../resources/writes.ts'
import { owedMailOperations } from '../owed/operations.ts'
import { type BusinessAddress, mailSettings } from './model.ts'
import { mailSettingsDecider } from './rules.ts'
import { settingsAt, settingsShown } from './view.ts'

const SETTINGS = '/workspaces/{workspace_id}/emails/settings'

const line = (about?: string) => text({ nullable: true, trim: true, ...(about !== undefined && { about }) })

const fields = {
  ...sentFields(mailSettings),
  footer_alignment: choice(['left', 'center', 'right'], { says: 'not a valid footer_alignment' }),
  address: group(
    {
      address_one: line(),
      address_two: line(),
      city: line(),
      postal_code: line(),
      country_code: addressCountry({ nullable: true }),
      region: line('Code or name'),
    },
    { about: 'Must be complete before marketing mail is sent' },
  ),
}

/** Returns the whole address that was sent. */
const businessAddress = (sent: JsonObject): BusinessAddress | Refusal => {
  const { address_one, address_two, city, postal_code, country_code: country, region } = sent
  const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== ''
  if (!isFilled(address_one) || !isFilled(city) || !isFilled(postal_code) || !isFilled(country))
    return refuse.invalid('Address is incomplete', 'marketing_setting.address', 'incomplete')
  const known = isFilled(region) ? regionIn(country, region) : undefined
  return {
    ...{ address_one, address_two: isFilled(address_two) ? address_two : null, city, postal_code, country },
    region: known?.code ?? (isFilled(region) ? region : null),
    region_name: known?.name ?? null,
  }
}

const wanted = ({ fields: sent }: WriteInput): JsonObject | Refusal => {
  const address = isJsonObject(sent.address) ? businessAddress(sent.address) : undefined
  return address instanceof Refusal ? address : { ...sent, ...(address && { address }) }
}

/** Emails::Settings. A workspace that has set nothing has empty ones. */
export const mailSettingsResource = serve(mailSettings, mailSettingsDecider, {
  title: 'Emails::Settings',
  root: 'marketing_setting',
  category: 'emails',
  under: workspace,
  operations: {
    getEmailsSettings: read(SETTINGS, {
      schema: settingsShown.schema,
      read: async ({ owner, load, pack }) => settingsShown.of(await settingsAt(owner, load), load, pack),
    }),
    updateEmailsSettings: saves(SETTINGS, {
      consequence: 'changes what all mails say, and whom they are from',
      body: { root: 'marketing_setting', fields, mode: 'change' },
      wanted,
      shows: settingsShown,
    }),
    ...owedMailOperations,
  },
})
