import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { choice, data, flag, list, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

/** Business address of a workspace, which marketing mail shows. Stored format. */
export type BusinessAddress = {
  readonly address_one: string
  readonly address_two: string | null
  readonly city: string
  readonly postal_code: string
  readonly region: string | null
  readonly region_name: string | null
  readonly country: string
}

const senderAddress = <const N extends string>(name: N) =>
  reference('emails/address', { nullable: true, missing: `${name} not found` })

/** Settings of a workspace's mail. They have the id of the workspace. */
export const mailSettings = model('emails/settings', {
  attributes: {
    name: text({ nullable: true, about: 'Business that marketing mail is from' }),
    address: data<BusinessAddress, { nullable: true }>(Type.Object({}), { nullable: true }),
    address_single_line: flag({ default: false }),
    hide_branding: flag({ default: false }),
    unsubscribe_footer: text({ nullable: true, max: 2000 }),
    footer_alignment: choice(['left', 'center', 'right'], { default: 'center' }),
    /** Kinds of owed mails that the workspace does not send. */
    owed_off: managed(list(text(), { initial: [] }), { shown: 'never' }),
    system_emails_from_address_id: senderAddress('system_emails_from_address_id'),
    system_emails_reply_to_address_id: senderAddress('system_emails_reply_to_address_id'),
    marketing_emails_from_address_id: senderAddress('marketing_emails_from_address_id'),
    marketing_emails_reply_to_address_id: senderAddress('marketing_emails_reply_to_address_id'),
  },
  events: {
    MailSettingsMade: { creates: true },
    MailSettingsChanged: { changes: 'rest' },
  },
})
