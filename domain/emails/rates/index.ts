import { text } from '../../kernel/model/fields.ts'
import { record } from '../../resources/record.ts'

/** Id of the record. There is one of an installation. */
export const RATES_ID = 1

/** Rates of mail as the operator has ordered them, in the words of the settings; `null`: what the settings say. They have no endpoints. */
export const mailRates = record({
  name: 'emails/rates',
  title: 'Emails::Rates',
  root: 'emails_rates',
  category: 'emails',
  under: { param: 'team_id', resource: 'team', field: 'team_id' },
  attributes: {
    sending: text({ nullable: true }),
    receiving: text({ nullable: true, max: 5000 }),
    warm_up: text({ nullable: true }),
  },
  events: { MailRatesOrdered: { creates: true }, MailRatesChanged: { changes: 'rest' } },
  operations: {},
})
