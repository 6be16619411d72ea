import { Type } from 'typebox'
import type { JsonObject } from '../../kernel/values/event.ts'
import { codeModes } from '../../resources/attributes/code.ts'
import { rooted, slugOf } from '../../resources/attributes/slug.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { byId, list, read, show, workspace } from '../../resources/operations.ts'
import { picker } from '../../resources/pick.ts'
import { dateTime, nullableInteger, nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { named } from '../../resources/view.ts'
import { changes, creates } from '../../resources/writes.ts'
import { checkoutOperations } from './checkout-operations.ts'
import { funnel, showPageStep } from './model.ts'
import { funnels } from './rules.ts'
import { funnelStats } from './stats.ts'
import { readStructure, structureSchema } from './structure.ts'

const code = { head_code: nullableString, footer_code: nullableString }
const modes = codeModes('head_code', 'footer_code')
const tag = { id: Type.Integer(), public_id: Type.String(), name: Type.String(), color: Type.String() }
const own = {
  id: Type.Integer(),
  public_id: Type.String(),
  workspace_id: Type.Integer(),
  name: Type.String(),
  archived: Type.Boolean(),
  current_path: Type.String(),
  live_mode: Type.Boolean({ description: 'false: test mode' }),
  domain_id: nullableInteger,
  favicon_image_id: nullableString,
  created_at: dateTime,
  updated_at: dateTime,
}
const pickOwn = picker(Object.keys(own))
const pickTag = picker(Object.keys(tag))

/** Adds the path of a new funnel. A path made from the name may be taken, so it comes with a suffix that makes it unique. */
const withPath = ({ fields, token }: WriteInput): JsonObject => {
  const sent = typeof fields.current_path === 'string' ? fields.current_path.trim() : ''
  const current_path = rooted(sent || slugOf(String(fields.name), 'funnel'))
  return { ...fields, current_path, ...(sent === '' && { suffix: token(6).toLowerCase() }) }
}

const FUNNELS = '/workspaces/{workspace_id}/funnels'

/** Funnel without its steps, which `getFunnelStructure` shows. */
export const funnelResource = serve(funnel, funnels, {
  title: 'Funnel',
  root: 'funnel',
  category: 'funnels',
  under: workspace,
  // Products on live funnels cannot be archived: the rule looks funnels up by `live_mode`.
  indexes: [
    { fields: ['workspace_id', 'current_path'] },
    { fields: ['workspace_id', 'live_mode'] },
    { fields: ['path_key'] },
  ],
  reads: ['product', 'products/variant', 'products/price'],
  shows: {
    schema: Type.Object({ ...own, tags: Type.Array(Type.Object(tag)) }),
    expands: code,
    async present(record, load, expand) {
      const tags = await load.many('funnels/tag', record.tag_ids)
      const expanded = Object.keys(code).filter((name) => expand.has(name))
      return { ...pickOwn(record), archived: false, tags: tags.map(pickTag), ...picker(expanded)(record) }
    },
  },
  operations: {
    listFunnels: list(FUNNELS, { filters: { id: byId } }),
    createFunnel: creates(FUNNELS, { input: modes, wanted: withPath }),
    getFunnels: show('/funnels/{id}'),
    updateFunnels: changes('/funnels/{id}', {
      ...{ input: modes, except: ['current_path', 'tag_ids'] },
      consequence: 'changes what visitors see',
      isUnseen: ({ document }) => document?.live_mode === false,
    }),
    getFunnelStats: funnelStats,
    getFunnelStructure: read('/funnels/{id}/structure', {
      schema: structureSchema,
      read: readStructure,
      past: true,
      summary: 'The steps of a funnel with all splits, in order',
    }),
    ...checkoutOperations,
  },
})

/** Step that shows a page. Clients name it to position pages and splits; it has no endpoints of its own. */
export const showPageStepResource = serve(showPageStep, funnels, {
  title: 'Funnel',
  root: 'show_page_step',
  category: 'funnels',
  under: { param: 'funnel_id', resource: 'funnel', field: 'funnel_id' },
  indexes: [{ fields: ['page_id'] }],
  shows: { schema: named.schema, present: picker(['id', 'public_id', 'name']) },
  operations: {},
})
