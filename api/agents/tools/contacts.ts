import { Type } from 'typebox'
import type { Json, JsonObject } from '../../../domain/kernel/values/event.ts'
import { allows } from '../../../domain/kernel/values/scopes.ts'
import type { Agent } from '../agent.ts'
import { answerOf } from '../calls/answer.ts'
import { carryOut, carryOutOrEnd } from '../calls/carry-out.ts'
import { changesOf } from '../resources/changes.ts'
import { mailsOf } from './mails-of-contact.ts'
import { after, idOf, LEFT_OUT, listed, mayRead, mayWrite, one, partsFor } from './task.ts'
import { tool } from './tool.ts'

const HISTORY = 10
const MAILS = 10

const contactId = idOf('Id of a contact')

const found = async (
  agent: Agent,
  id: Json | undefined,
  email: string | undefined,
): Promise<JsonObject | undefined> => {
  if (id !== undefined) return one(agent, 'getContacts', id)
  const [first] = await listed(agent, 'listContacts', { query: { filter: { email_address: email ?? '' } } })
  return first
}

export const findContact = tool({
  name: 'find_contact',
  title: 'Find a contact',
  description:
    'Finds a contact by e-mail address or id, with tags, orders, form submissions, the mails they got and why, and what changed in the record.',
  input: {
    email_address: Type.Optional(Type.String({ maxLength: 320 })),
    contact_id: Type.Optional(contactId),
  },
  says: { found: Type.Optional(Type.Boolean()), left_out_without_scope: LEFT_OUT },
  data: 'contact, orders, form_submissions, mails, changes',
  level: 'read',
  needs: () => [mayRead('contacts')],
  async run({ email_address, contact_id }, { agent, progress }) {
    const contact = await found(agent, contact_id, email_address)
    if (!contact) return { says: { found: false } }
    await progress(1, 2)
    const id = Number(contact.id)
    const resource = agent.service.resources.get('contact')!
    const filter = { contact_id: id }
    const { data, leftOut } = await partsFor(agent, {
      orders: { access: mayRead('store'), read: () => listed(agent, 'listOrders', { query: { filter } }) },
      form_submissions: {
        access: mayRead('forms'),
        read: () => listed(agent, 'listFormSubmissions', { query: { filter } }),
      },
      mails: { access: mayRead('emails'), read: () => mailsOf(agent, id, MAILS) },
      changes: { access: mayRead('contacts'), read: () => changesOf(agent, resource, String(id), HISTORY) },
    })
    await progress(2, 2)
    return { says: { found: true, ...leftOut }, data: { contact, ...data } }
  },
})

export const ordersOfContact = tool({
  name: 'orders_of_contact',
  title: 'Orders of a contact',
  description: 'Lists what a contact has bought, the first order first.',
  input: { contact_id: contactId, after },
  data: 'Orders',
  level: 'read',
  needs: () => [mayRead('store')],
  run: async ({ contact_id, after: from }, { agent }) => {
    const query = { filter: { contact_id }, ...(from !== undefined && { after: from }) }
    return answerOf(await carryOut(agent, 'listOrders', { query }))
  },
})

/** Returns the id of the tag of a name. Makes one where there is none. */
const tagNamed = async (agent: Agent, name: string, key: string): Promise<number> => {
  const [tag] = await listed(agent, 'listContactsTags', { query: { filter: { name } } })
  if (tag) return Number(tag.id)
  const made = await carryOutOrEnd(
    agent,
    'createContactsTags',
    { body: { contacts_tag: { name } } },
    `${key}:tag:${name}`,
  )
  return Number((made as JsonObject).id)
}

export const addContact = tool({
  name: 'add_contact',
  title: 'Add or change a contact',
  description:
    'Adds a contact, or changes the one that has the e-mail address, and puts tags on it. Tags that do not exist yet are made. Clears nothing.',
  input: {
    email_address: Type.String({ maxLength: 320 }),
    first_name: Type.Optional(Type.String({ maxLength: 255 })),
    last_name: Type.Optional(Type.String({ maxLength: 255 })),
    phone_number: Type.Optional(Type.String({ maxLength: 50 })),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 20, description: 'Names' }),
    ),
  },
  data: 'The contact',
  level: 'write',
  needs: () => [mayWrite('contacts')],
  async run({ email_address, first_name, last_name, phone_number, tags = [] }, { agent, key }) {
    const ids: number[] = []
    for (const name of new Set(tags)) ids.push(await tagNamed(agent, name, key))
    const contact = {
      email_address,
      ...(first_name !== undefined && { first_name }),
      ...(last_name !== undefined && { last_name }),
      ...(phone_number !== undefined && { phone_number }),
      ...(ids.length > 0 && { tag_ids: ids }),
    }
    return answerOf(await carryOut(agent, 'upsertContacts', { body: { contact } }, key))
  },
})

export const whyThisMail = tool({
  name: 'why_this_mail',
  title: 'Why a contact got a mail',
  description:
    'Lists the newest mails to a contact, what became of each, and why it was sent: which broadcast, which step of which workflow, or what the contact did.',
  input: {
    contact_id: contactId,
    most: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default: 10' })),
  },
  says: { mails: Type.Optional(Type.Integer()) },
  data: 'Mails, each with what became of it and why it was sent',
  level: 'read',
  needs: () => [mayRead('contacts'), mayRead('emails')],
  async run({ contact_id, most = MAILS }, { agent }) {
    const contact = await one(agent, 'getContacts', contact_id)
    const mails = await mailsOf(agent, Number(contact.id), most)
    const mayTrace = allows(agent.access.caller.scopes, 'workflows', 'read')
    const explained: JsonObject[] = []
    for (const mail of mails) {
      const { workflows_run_id: run, emails_broadcast_id: broadcast } = mail.why as JsonObject
      const cause =
        run !== undefined && mayTrace
          ? { workflow_run: await optional(agent, 'getWorkflowRun', run) }
          : broadcast === undefined
            ? {}
            : { broadcast: await optional(agent, 'getEmailsBroadcast', broadcast) }
      explained.push({ ...mail, ...cause })
    }
    return { says: { mails: explained.length }, data: explained }
  },
})

/** Returns a record that may be gone. */
const optional = async (agent: Agent, operationId: string, id: Json): Promise<Json> => {
  const { status, body = null } = await carryOut(agent, operationId, { path: { id } })
  return status === 200 ? body : null
}
