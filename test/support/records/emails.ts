import { ok } from '../client.ts'
import type { Tenant } from '../service.ts'
import { creatable, inWorkspace, type RecordMaker, unique } from './making.ts'

let count = 0

/** A root domain that no other record has. */
export const rootDomain = (): string => `shop-${process.pid}-${++count}.com`

const domain = creatable(async () => ({ name: rootDomain() }), inWorkspace('/emails/domains'), 'emails_domain')

/** Business address of a workspace, complete. */
export const BUSINESS = {
  name: 'Mug Shop',
  address: { address_one: '1 High Street', city: 'Austin', postal_code: '78701', country_code: 'US', region: 'TX' },
}

/** Completes the business address of a workspace. */
export const completeAddress = async (tenant: Tenant): Promise<void> => {
  ok(await tenant.api.put(inWorkspace('/emails/settings')(tenant), { marketing_setting: BUSINESS }))
}

/** Makers of what mail is sent with. */
export const mailMakers: Readonly<Record<string, RecordMaker>> = {
  'emails/domain': domain,
  'emails/address': creatable(
    async (tenant) => ({
      username: unique('sender').replace(' ', '-'),
      name: unique('Shop'),
      emails_domain_id: await domain.make(tenant),
    }),
    inWorkspace('/emails/addresses'),
    'emails_address',
  ),
  'emails/topic': creatable(async () => ({ name: unique('Topic') }), inWorkspace('/emails/topics'), 'emails_topic'),
  'emails/template': creatable(
    async () => ({ name: unique('Template'), subject: 'Hello {{ contact.first_name }}', html_body: '<p>Hello</p>' }),
    inWorkspace('/emails/templates'),
    'emails_template',
  ),
}
