import { Type } from 'typebox'
import type { FieldTable } from '../../kernel/field.ts'
import { flag, integer, longText, reference, text } from '../../kernel/fields.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Resource, WriteInput } from '../../kernel/resource.ts'
import { codeFields } from '../../kinds/code.ts'
import { basics } from '../../kinds/former.ts'
import { byId, change, create, flagFilter, idFilter, list, remove, show, workspace } from '../../kinds/operations.ts'
import { rooted, slugOf } from '../../kinds/slug.ts'
import { objectOf, structure } from '../../kinds/structure.ts'
import { pageAggregate } from './aggregate.ts'
import { notValidFor, type PageCommand, SEARCH_DEFAULTS, unpermitted } from './decide.ts'
import { pageDocuments } from './documents.ts'
import { detachFromStep, placeNewPage, rearrangePage, removeFromFunnel } from './placement.ts'
import { pageView } from './view.ts'

const id = Type.Union([Type.Integer(), Type.String()])
const bump = Type.Object({ product_id: id, preheadline: Type.Optional(Type.String()) })
const products = Type.Object({ product_ids: Type.Optional(Type.Array(id)), bumps: Type.Optional(Type.Array(bump)) })
const optionalId = Type.Optional(Type.Union([id, Type.Null()]))

const search: FieldTable = {
  seo_title: text({ nullable: true }),
  seo_description: text({ nullable: true, max: 1000 }),
  seo_index: flag({ about: 'Search engines may index the page' }),
  block_ai_crawler: flag(),
  block_ai_search: flag(),
  block_ai_assistant: flag(),
}
const code = codeFields('head_code', 'footer_code', 'custom_css')
const common: FieldTable = {
  description: text({ nullable: true, max: 1000 }),
  sort_order: integer({ nullable: true, about: 'Position in the funnel, from 0' }),
}
const createFunnel = structure(
  Type.Object({ funnel_id: optionalId, after_show_page_step_id: optionalId, show_page_step_id: optionalId }),
  'A new step in this funnel, last unless positioned; or the step that is to show the page',
)
const hosted: FieldTable = {
  name: text({ required: true }),
  current_path: text({ nullable: true, about: 'Own slug only; absent: made up' }),
  theme_id: reference('theme', { nullable: true }),
  ...common,
  ...search,
  funnel: createFunnel,
  show_page_step: structure(products),
  ...code,
  markup: longText({ about: 'Page markup language; replaces the whole page' }),
}
const external: FieldTable = {
  name: text({ nullable: true, about: 'Default: the host of external_url' }),
  ...common,
  external_url: structure(Type.String(), 'A complete http or https URL without a query string; required'),
  funnel: createFunnel,
}
const changes: FieldTable = {
  name: text({ required: true }),
  ...common,
  ...search,
  funnel: structure(Type.Object({ show_page_step_id: optionalId }), 'The step that is to show the page'),
  show_page_step: structure(products),
  ...code,
  markup: longText(),
  external_url: structure(Type.String(), 'Of an external page; its token stays'),
}

/** What only a page that is hosted here has; to send it for an external one is refused, never ignored. */
const HOSTED_ONLY = [
  'markup',
  'theme_id',
  'current_path',
  ...Object.keys(SEARCH_DEFAULTS),
  ...Object.keys(code),
  'live_data_changes',
]

const sentAmong = ({ sent }: WriteInput, names: readonly string[]): readonly string[] =>
  names.filter((name) => Object.hasOwn(sent, name))

/** A page on a funnel step is reached by the slug of the step; its own path must not get in the way of another's. */
const ownPath = ({ fields, token }: WriteInput): string => {
  const wished = typeof fields.current_path === 'string' ? fields.current_path.trim() : ''
  const random = token(8).toLowerCase()
  if (fields.funnel && Object.keys(objectOf(fields.funnel)).length > 0) {
    return rooted(`${wished || slugOf(String(fields.name), 'page')}-${random}`)
  }
  return rooted(wished || random)
}

const createPage = (input: WriteInput): PageCommand | Refusal => {
  if (Object.hasOwn(input.sent, 'external_url')) {
    const elsewhere =
      'Use POST /api/v2/workspaces/:workspace_id/pages/external to create externally-hosted (SDK) pages.'
    return unpermitted(`The following fields are not valid on this endpoint: external_url. ${elsewhere}`, [
      'external_url',
    ])
  }
  return { type: 'CreatePage', fields: input.fields, path: ownPath(input), ...basics(input) }
}

const registerPage = (input: WriteInput): PageCommand | Refusal => {
  const block = Object.keys(objectOf(input.sent.show_page_step))
  const attaching =
    block.length > 0 ? block.map((key) => `show_page_step.${key}`) : sentAmong(input, ['show_page_step'])
  const misplaced = [...sentAmong(input, HOSTED_ONLY), ...attaching]
  if (misplaced.length > 0) return notValidFor('external', misplaced)
  return { type: 'RegisterExternalPage', fields: input.fields, token: `cfp_${input.token(24)}`, ...basics(input) }
}

const changePage = (input: WriteInput): PageCommand => ({
  type: 'ChangePage',
  fields: input.fields,
  hostedOnly: sentAmong(input, HOSTED_ONLY),
  externalOnly: sentAmong(input, ['external_url']),
  ...basics(input),
})

const nothingOfItself = (input: WriteInput): PageCommand => ({
  type: 'ChangePage',
  fields: {},
  hostedOnly: [],
  externalOnly: [],
  ...basics(input),
})

const PAGES = '/workspaces/{workspace_id}/pages'

/** Page: hosted here or by the customer, standalone or on one funnel step. Its place and products are the funnel's to know. */
export const page: Resource = {
  name: 'page',
  tag: 'Page',
  root: 'page',
  category: 'funnels',
  under: workspace,
  aggregate: pageAggregate,
  documents: pageDocuments,
  view: pageView,
  reads: ['product', 'products/variant', 'products/price'],
  operations: {
    listPages: list(PAGES, {
      filters: {
        id: byId,
        theme_id: idFilter('theme_id', 'theme'),
        funnel_pages: flagFilter('in_funnel'),
        funnel_ids: idFilter('funnel_id', 'funnel'),
      },
    }),
    createPage: create(PAGES, 'page', hosted, { command: createPage, followUps: placeNewPage(false) }),
    createExternalPage: create(`${PAGES}/external`, 'page', external, {
      command: registerPage,
      followUps: placeNewPage(true),
    }),
    getPages: show('/pages/{id}'),
    updatePages: change('/pages/{id}', 'page', changes, { command: changePage, followUps: rearrangePage }),
    deletePage: remove('/pages/{id}', {
      command: (input): PageCommand => ({ type: 'DeletePage', pageId: input.id, ...basics(input) }),
      followUps: removeFromFunnel,
    }),
    removeProductsFromPage: remove('/pages/{id}/products', {
      summary: 'Detaches products from the step of a page, all of them or none',
      body: { root: null, fields: { product_ids: structure(Type.Array(id)) }, mode: 'change' },
      query: { product_ids: structure(Type.Array(Type.String()), 'Instead of the body') },
      command: nothingOfItself,
      followUps: detachFromStep,
    }),
  },
}
