import type { JsonObject } from '../../kernel/event.ts'
import type { FieldTable } from '../../kernel/field.ts'
import { flag, list as listOf, reference, text } from '../../kernel/fields.ts'
import type { Resource, WriteInput } from '../../kernel/resource.ts'
import { codeFields } from '../../kinds/code.ts'
import { basics } from '../../kinds/former.ts'
import { byId, change, create, list, read, show, workspace } from '../../kinds/operations.ts'
import { rooted, slugOf } from '../../kinds/slug.ts'
import { funnelAggregate } from './aggregate.ts'
import type { FunnelCommand, FunnelFields } from './commands.ts'
import { funnelDocuments } from './documents.ts'
import { showPageStepDocuments } from './step-documents.ts'
import { readStructure, structureSchema } from './structure.ts'
import { funnelShortSchema, funnelView, presentFunnelShort } from './view.ts'

const code = codeFields('head_code', 'footer_code')
const changes: FieldTable = {
  name: text({ required: true }),
  live_mode: flag({ about: 'true: live payments; false: test mode' }),
  domain_id: reference('domain', { nullable: true, about: 'null: the default host' }),
  ...code,
}
const fields: FieldTable = {
  ...changes,
  current_path: text({ nullable: true, about: 'Absent: made from the name' }),
  tag_ids: listOf(reference('funnels/tag')),
}

const own = ({ fields: sent }: WriteInput): { fields: FunnelFields; code: JsonObject } => ({
  fields: sent as FunnelFields,
  code: Object.fromEntries(Object.keys(code).map((name) => [name, sent[name]])),
})

const createFunnel = (input: WriteInput): FunnelCommand => {
  const wished = typeof input.fields.current_path === 'string' ? input.fields.current_path.trim() : ''
  return {
    type: 'CreateFunnel',
    workspaceId: Number(input.owner?.id),
    path: rooted(wished || slugOf(String(input.fields.name), 'funnel')),
    ...(wished === '' && { suffix: input.token(6).toLowerCase() }),
    ...own(input),
    ...basics(input),
  }
}

const FUNNELS = '/workspaces/{workspace_id}/funnels'

/** Funnel: a tree of steps and splits. Its workflow is not made here: that family builds it from the funnel's own events. */
export const funnel: Resource = {
  name: 'funnel',
  tag: 'Funnel',
  root: 'funnel',
  category: 'funnels',
  under: workspace,
  aggregate: funnelAggregate,
  documents: funnelDocuments,
  view: funnelView,
  reads: ['product', 'products/variant', 'products/price'],
  operations: {
    listFunnels: list(FUNNELS, { filters: { id: byId } }),
    createFunnel: create(FUNNELS, 'funnel', fields, { command: createFunnel }),
    getFunnels: show('/funnels/{id}'),
    updateFunnels: change('/funnels/{id}', 'funnel', changes, {
      command: (input): FunnelCommand => ({ type: 'ChangeFunnel', ...own(input), ...basics(input) }),
    }),
    getFunnelStructure: read('/funnels/{id}/structure', {
      schema: structureSchema,
      read: readStructure,
      past: true,
      summary: 'The steps of a funnel with all splits, in order',
    }),
  },
}

/** What a step does: shows a page, with products. Clients name it to position pages and splits; it has no endpoints of its own. */
export const showPageStep: Resource = {
  name: 'funnels/show_page_step',
  tag: 'Funnel',
  root: 'show_page_step',
  category: 'funnels',
  under: { param: 'funnel_id', resource: 'funnel', field: 'funnel_id' },
  aggregate: funnelAggregate,
  documents: showPageStepDocuments,
  view: { schema: funnelShortSchema, present: presentFunnelShort },
  operations: {},
}
