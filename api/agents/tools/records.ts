import { Type } from 'typebox'
import { answerOf } from '../calls/answer.ts'
import { carryOut } from '../calls/carry-out.ts'
import { accessToKind, recordWithHistory } from '../resources/record.ts'
import { idOf, LEFT_OUT, mayRead, partsFor } from './task.ts'
import { tool } from './tool.ts'

export const whatChanged = tool({
  name: 'what_changed',
  title: 'What changed in a record',
  description:
    'Returns a record and its newest changes: when, by whom, and each field before and after. For orders, contacts, pages, products, broadcasts and all else.',
  input: {
    kind: Type.String({
      maxLength: 80,
      description: 'As in the paths of the API: orders, contacts, emails.broadcasts, …',
    }),
    id: idOf('Id of the record'),
    most: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Changes; default: 20' })),
  },
  data: 'The record, and its changes',
  level: 'read',
  needs: ({ kind }, agent) => accessToKind(agent, kind),
  run: async ({ kind, id, most }, { agent }) => ({
    says: {},
    data: await recordWithHistory(agent, kind, String(id), most),
  }),
})

export const workspaceOverview = tool({
  name: 'workspace_overview',
  title: 'Overview of the workspace',
  description:
    'Returns the workspace with how many contacts and orders it has, its newest funnels, workflows and broadcasts.',
  input: {},
  says: { left_out_without_scope: LEFT_OUT },
  data: 'workspace, contacts, orders, funnels, workflows, broadcasts',
  level: 'read',
  needs: () => [mayRead('account')],
  async run(_, { agent }) {
    const workspace = answerOf(await carryOut(agent, 'getWorkspaces', {}))
    if (workspace.isError) return workspace
    const read =
      (operationId: string, query = {}) =>
      async () =>
        (await carryOut(agent, operationId, { query })).body ?? null
    const newest = { sort_property: 'id', sort_order: 'desc' }
    const { data, leftOut } = await partsFor(agent, {
      contacts: { access: mayRead('contacts'), read: read('getWorkspacesStats', { resource: 'contact', count: true }) },
      orders: { access: mayRead('store'), read: read('getWorkspacesStats', { resource: 'order', count: true }) },
      funnels: { access: mayRead('funnels'), read: read('listFunnels', newest) },
      workflows: { access: mayRead('workflows'), read: read('listWorkflows', newest) },
      broadcasts: { access: mayRead('emails'), read: read('listEmailsBroadcasts', newest) },
    })
    return { says: leftOut, data: { workspace: workspace.data ?? null, ...data } }
  },
})
