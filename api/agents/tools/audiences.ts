import { Type } from 'typebox'
import type { Document, Where } from '../../../domain/kernel/ports/read-models.ts'
import { inStretches } from '../../../domain/kernel/ports/read-on.ts'
import { isJsonObject, type JsonObject } from '../../../domain/kernel/values/event.ts'
import { type Agent, recordsOf } from '../agent.ts'
import { answerOf } from '../calls/answer.ts'
import { carryOut, carryOutOrEnd } from '../calls/carry-out.ts'
import { after, idOf, listed, mayRead, one } from './task.ts'
import { tool } from './tool.ts'

/** Documents that are read at once. */
const AT_ONCE = 500
/** Records of a page of the API. */
const PAGE = 20
/** Contacts of an answer. */
const MOST_CONTACTS = 100

/** Returns all documents that match, read in parts. @param by order of an index */
async function* all(agent: Agent, collection: string, where: Where, by = 'id'): AsyncGenerator<Document> {
  const read = recordsOf(agent)
  const query = { where, sort: { by }, limit: AT_ONCE }
  for await (const some of inStretches((next) => read.find(collection, next), query)) yield* some
}

/** Returns the ids of the contacts who have an order of a product within reach. */
const buyersOf = async (agent: Agent, productId: number): Promise<ReadonlySet<number>> => {
  const prices: number[] = []
  for await (const price of all(agent, 'products/price', { product_id: productId })) prices.push(Number(price.id))
  const orders = new Set<number>()
  for (const price of prices)
    for await (const line of all(agent, 'orders/line_item', { products_price_id: price }))
      orders.add(Number(line.order_id))
  const contacts = new Set<number>()
  const ids = [...orders]
  for (let from = 0; from < ids.length; from += AT_ONCE)
    for (const order of await recordsOf(agent).getMany('order', ids.slice(from, from + AT_ONCE)))
      if (order) contacts.add(Number(order.contact_id))
  return contacts
}

const contactsOf = async (agent: Agent, where: Where): Promise<ReadonlySet<number>> => {
  const ids = new Set<number>()
  for await (const delivery of all(agent, 'emails/delivery', where, 'contact_id')) ids.add(Number(delivery.contact_id))
  return ids
}

/** Returns contacts as the API shows them. */
const shown = async (agent: Agent, ids: readonly number[]): Promise<readonly JsonObject[]> => {
  const contacts: JsonObject[] = []
  for (let from = 0; from < ids.length; from += PAGE) {
    const query = { filter: { id: ids.slice(from, from + PAGE).join(',') } }
    contacts.push(...(await listed(agent, 'listContacts', { query })))
  }
  return contacts
}

export const buyersWithoutOpen = tool({
  name: 'buyers_without_open',
  title: 'Who bought a product and has not opened a broadcast',
  description:
    'Lists the contacts who bought a product and have not opened a broadcast, with whether they got it. At most 100 at once.',
  input: {
    product_id: idOf('Id of a product'),
    broadcast_id: idOf('Id of a broadcast'),
    after_contact_id: Type.Optional(Type.Integer({ minimum: 0, description: 'Next part, as an earlier answer said' })),
  },
  says: {
    buyers: Type.Optional(Type.Integer()),
    not_opened: Type.Optional(Type.Integer()),
    after_contact_id: Type.Optional(Type.Integer({ description: 'Where the next part begins' })),
  },
  data: 'Each contact, and got_the_broadcast',
  level: 'read',
  needs: () => [mayRead('store'), mayRead('emails'), mayRead('contacts')],
  async run({ product_id, broadcast_id, after_contact_id = 0 }, { agent, progress }) {
    // Both are looked up as the API does, so that nothing of another workspace is reached.
    const product = await one(agent, 'getProducts', product_id)
    const broadcast = await one(agent, 'getEmailsBroadcast', broadcast_id)
    const buyers = await buyersOf(agent, Number(product.id))
    await progress(1, 3)
    const opened = await contactsOf(agent, { opened_in: Number(broadcast.id) })
    const received = await contactsOf(agent, { received_in: Number(broadcast.id) })
    await progress(2, 3)
    const ids = [...buyers].filter((id) => !opened.has(id)).sort((one, other) => one - other)
    const part = ids.filter((id) => id > after_contact_id).slice(0, MOST_CONTACTS)
    const contacts = await shown(agent, part)
    await progress(3, 3)
    const last = part.at(-1)
    return {
      says: {
        buyers: buyers.size,
        not_opened: ids.length,
        ...(last !== undefined && last !== ids.at(-1) && { after_contact_id: last }),
      },
      data: contacts.map((contact) => ({ contact, got_the_broadcast: received.has(Number(contact.id)) })),
    }
  },
})

export const whoIsInWorkflow = tool({
  name: 'who_is_in_workflow',
  title: 'Who is in a workflow, and where',
  description: 'Returns the steps of a workflow, how many runs stand at each, and the runs of contacts who are in it.',
  input: {
    workflow_id: idOf('Id of a workflow'),
    status: Type.Optional(Type.String({ maxLength: 40, description: 'Default: active,paused' })),
    after,
  },
  data: 'runs, steps, standing',
  level: 'read',
  needs: () => [mayRead('workflows')],
  async run({ workflow_id: id, status = 'active,paused', after: from }, { agent }) {
    const query = { filter: { status }, ...(from !== undefined && { after: from }) }
    const runs = await carryOut(agent, 'listWorkflowRuns', { path: { workflow_id: id }, query })
    const answer = answerOf(runs)
    if (answer.isError) return answer
    const structure = await carryOutOrEnd(agent, 'getWorkflowStructure', { path: { id } })
    const impact = await carryOutOrEnd(agent, 'getWorkflowImpact', { path: { id } })
    return {
      says: answer.says,
      data: { runs: runs.body ?? null, steps: structure, standing: isJsonObject(impact) ? impact : null },
    }
  },
})
