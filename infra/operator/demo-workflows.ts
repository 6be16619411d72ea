import type { ApiRecord, ShopClient } from './demo-client.ts'

const BUSINESS = {
  name: 'The mug shop',
  address: { address_one: '7 Dock Street', city: 'Baltimore', postal_code: '21201', country_code: 'US', region: 'MD' },
}

const LETTER = {
  name: 'Welcome',
  subject: 'A tenth off your mug',
  html_body: `<p>Hello {{ contact.first_name | default: "there" }},</p>
<p>thank you for signing up. With the code <strong>WELCOME10</strong> the enamel mug costs a tenth less.</p>`,
}

const REMINDER = {
  subject: 'The code is still yours',
  html_body: '<p>The code <strong>WELCOME10</strong> still takes a tenth off the enamel mug.</p>',
}

const wait = (days: number) => ({ delay_step: { delay_type: 'relative', duration: days, interval: 'days' } })

const addTag = ({ id }: ApiRecord) => ({ contact_tag_step: { action: 'Add Tags', contacts_tag_ids: [id] } })

/** Makes a workflow that an event starts, with its steps in their order, and enables it. */
const start = async (
  { ask, make, workspace }: ShopClient,
  name: string,
  trigger: object,
  addSteps: (add: (name: string, settings: object, place?: object) => Promise<ApiRecord>) => Promise<unknown>,
): Promise<void> => {
  const { id } = await make(`${workspace}/workflows`, 'workflow', { name })
  await make(`/workflows/${id}/triggers`, 'workflows_trigger', trigger)
  await addSteps((called, step_type_settings, place) =>
    make(`/workflows/${id}/steps`, 'workflows_step', { name: called, step_type_settings, ...place }),
  )
  await ask('POST', `/workflows/${id}/enable`)
}

/** Lets a workflow tag everybody who buys. @returns the tag */
export const tagCustomers = async (client: ShopClient): Promise<ApiRecord> => {
  const { make, workspace } = client
  const tag = await make(`${workspace}/contacts/tags`, 'contacts_tag', { name: 'Customer' })
  await start(client, 'Customers', { event_type_key: '$order.successful_purchase' }, (add) => add('Tag', addTag(tag)))
  return tag
}

/** Lets the workspace send mail: with the address of a business, and a sender. */
export const prepareMail = async ({ ask, make, workspace, sharesSender }: ShopClient): Promise<void> => {
  if (!sharesSender) return
  await ask('PUT', `${workspace}/emails/settings`, { marketing_setting: BUSINESS })
  await make(`${workspace}/emails/addresses`, 'emails_address', { username: 'letter', name: 'The mug shop' })
}

/** Lets a workflow mail those who sign up on a page, a day later, and remind those who have not bought by then. */
export const welcomeReaders = async (client: ShopClient, page: ApiRecord, customer: ApiRecord): Promise<void> => {
  const { make, workspace } = client
  const [template, filter, reader] = await Promise.all([
    make(`${workspace}/emails/templates`, 'emails_template', LETTER),
    make(`${workspace}/refine_filters`, 'refine_filter', {
      name: 'Customers',
      criteria: [{ attribute: 'tags.id', clause: 'eq', value: customer.id }],
    }),
    make(`${workspace}/contacts/tags`, 'contacts_tag', { name: 'Reader and customer' }),
    make(`${workspace}/emails/topics`, 'emails_topic', {
      name: 'The letter',
      description: 'About coffee, every Friday',
    }),
  ])
  await start(client, 'Welcome', { event_type_key: '$optin', page_id: page.id }, async (add) => {
    await add('A day later', wait(1))
    await add('The code', { send_email_step: { template_id: template.id } })
    const { id } = await add('Bought?', { conditional_split_step: { condition: { filter_id: filter.id } } })
    await add('Reader and customer', addTag(reader), { parent_step_id: id, branch: 'matched' })
    await add('Three more days', wait(3), { parent_step_id: id, branch: 'unmatched' })
    await add('A reminder', { send_email_step: REMINDER }, { parent_step_id: id, branch: 'unmatched' })
  })
}
