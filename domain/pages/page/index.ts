import { Type } from 'typebox'
import { pagePlaces } from '../../funnels/public.ts'
import type { FieldTable } from '../../kernel/model/field.ts'
import { integer, longText, text } from '../../kernel/model/fields.ts'
import { MOST_ITEMS } from '../../kernel/model/parse.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import type { Refusal } from '../../kernel/values/refusal.ts'
import { asSent, objectOf } from '../../resources/attributes/as-sent.ts'
import { codeModes } from '../../resources/attributes/code.ts'
import { rooted, slugOf } from '../../resources/attributes/slug.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { byId, flagFilter, idFilter, list, show, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { changes, creates, removes } from '../../resources/writes.ts'
import { MOST_BUMPS } from './blocks.ts'
import { detachFromStep, placeNewPage, rearrangePage, removeFromFunnel } from './follow-ups.ts'
import { CODE, codeFields, page, search } from './model.ts'
import { optInOperations } from './opt-in.ts'
import { withCopies, withPictures } from './pictures.ts'
import { EXTERNAL_ONLY, HOSTED_ONLY, notValidFor, pages, unpermitted } from './rules.ts'
import { pageStats } from './stats.ts'
import { isPageUnseen } from './unseen.ts'
import { pageView } from './view.ts'

const id = Type.Union([Type.Integer(), Type.String()])
const bump = Type.Object({ product_id: id, preheadline: Type.Optional(Type.String()) })
const productIds = Type.Array(id, { maxItems: MOST_ITEMS })
const show_page_step = asSent(
  Type.Object({
    product_ids: Type.Optional(productIds),
    bumps: Type.Optional(Type.Array(bump, { maxItems: MOST_BUMPS })),
  }),
)
const optionalId = Type.Optional(Type.Union([id, Type.Null()]))
const funnel = asSent(
  Type.Object({ funnel_id: optionalId, after_show_page_step_id: optionalId, show_page_step_id: optionalId }),
  'A new step in this funnel, last unless positioned; or the step that is to show the page',
)
const onto = asSent(Type.Object({ show_page_step_id: optionalId }), 'The step that is to show the page')

const address = (about: string) => asSent(Type.String(), about)
const { name, description, current_path, theme_id, markup } = page.attributes
const code = { ...codeFields, ...codeModes(...CODE) }
const common = { description, sort_order: integer({ nullable: true, about: 'Position in the funnel, from 0' }) }
const own = { ...common, ...search }
const hosted: FieldTable = { name, current_path, theme_id, ...own, funnel, show_page_step, ...code, markup }
const external: FieldTable = {
  name: text({ nullable: true, about: 'Default: the host of external_url' }),
  ...common,
  external_url: address('A complete http or https URL without a query string; required'),
  funnel,
}
const external_url = address('Of an external page; its token stays')
const changed: FieldTable = { name, ...own, funnel: onto, show_page_step, ...code, markup: longText(), external_url }

const sentAmong = ({ sent }: WriteInput, names: readonly string[]): readonly string[] =>
  names.filter((name) => Object.hasOwn(sent, name))

/** Returns the path of a new page. A page on a funnel step is reached by the slug of the step; a random end keeps its own path free for others. */
const ownPath = ({ fields, token }: WriteInput): string => {
  const sent = typeof fields.current_path === 'string' ? fields.current_path.trim() : ''
  const random = token(8).toLowerCase()
  if (Object.keys(objectOf(fields.funnel)).length === 0) return rooted(sent || random)
  return rooted(`${sent || slugOf(String(fields.name), 'page')}-${random}`)
}

/** Returns the token that identifies a page to the SDK. */
const newToken = ({ token }: WriteInput): string => `cfp_${token(24)}`

const ELSEWHERE = 'Use POST /api/v2/workspaces/:workspace_id/pages/external to create externally-hosted (SDK) pages.'

const newPage = async (input: WriteInput): Promise<JsonObject | Refusal> => {
  const elsewhere = sentAmong(input, EXTERNAL_ONLY)
  if (elsewhere.length === 0) {
    const own = { current_path: ownPath(input), token: newToken(input) }
    return { ...input.fields, ...own, ...(await withPictures(input)) }
  }
  return unpermitted(`The following fields are not valid on this endpoint: external_url. ${ELSEWHERE}`, elsewhere)
}

const newExternalPage = (input: WriteInput): JsonObject | Refusal => {
  const block = Object.keys(objectOf(input.sent.show_page_step))
  const attaching =
    block.length > 0 ? block.map((key) => `show_page_step.${key}`) : sentAmong(input, ['show_page_step'])
  const { name = null, description = null, external_url: url } = input.fields
  const refusal = notValidFor('external', [...sentAmong(input, HOSTED_ONLY), ...attaching])
  return refusal ?? { name, description, url, external: true, token: newToken(input) }
}

const ofEitherKind = async (input: WriteInput): Promise<JsonObject> => {
  const { external_url: url, ...fields } = input.fields
  const sent = sentAmong(input, [...HOSTED_ONLY, ...EXTERNAL_ONLY])
  return { ...fields, url, sent, ...(await withPictures(input)) }
}

const PAGES = '/workspaces/{workspace_id}/pages'

/** What follows from writing a page. */
const seen = { consequence: 'changes what visitors see, with the scripts in it', isUnseen: isPageUnseen }

/** Page: hosted here or by the customer, standalone or on one funnel step. Its place and products are in the funnel's stream. */
export const pageResource = serve(page, pages, {
  title: 'Page',
  root: 'page',
  category: 'funnels',
  under: workspace,
  indexes: [{ fields: ['token'] }, { fields: ['path_key'] }],
  joined: [pagePlaces],
  reads: ['product', 'products/variant', 'products/price'],
  shows: pageView,
  operations: {
    listPages: list(PAGES, {
      filters: {
        id: byId,
        theme_id: idFilter('theme_id', 'theme'),
        funnel_pages: flagFilter('in_funnel'),
        funnel_ids: idFilter('funnel_id', 'funnel'),
      },
    }),
    createPage: creates(PAGES, {
      ...seen,
      body: { root: 'page', fields: hosted, mode: 'create' },
      as: 'PageCreated',
      wanted: newPage,
      followUps: withCopies(placeNewPage(false)),
    }),
    createExternalPage: creates(`${PAGES}/external`, {
      ...seen,
      body: { root: 'page', fields: external, mode: 'create' },
      as: 'ExternalPageRegistered',
      wanted: newExternalPage,
      followUps: placeNewPage(true),
    }),
    getPages: show('/pages/{id}'),
    getPageStats: pageStats,
    ...optInOperations,
    updatePages: changes('/pages/{id}', {
      ...seen,
      body: { root: 'page', fields: changed, mode: 'change' },
      wanted: ofEitherKind,
      followUps: withCopies(rearrangePage),
    }),
    deletePage: removes('/pages/{id}', { followUps: removeFromFunnel }),
    removeProductsFromPage: changes('/pages/{id}/products', {
      ...seen,
      method: 'DELETE',
      answers: 204,
      summary: 'Detaches products from the step of a page, all of them or none',
      body: { root: null, fields: { product_ids: asSent(productIds) }, mode: 'change' },
      query: { product_ids: asSent(Type.Array(Type.String(), { maxItems: MOST_ITEMS }), 'Instead of the body') },
      wanted: () => ({}),
      followUps: detachFromStep,
    }),
  },
})
