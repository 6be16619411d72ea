import { Type } from 'typebox'
import { treeOf } from '../../funnels/funnel/documents.ts'
import { productsOf } from '../../funnels/funnel/step-documents.ts'
import { locatePage } from '../../funnels/funnel/tree.ts'
import type { JsonObject } from '../../kernel/event.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Loader, View } from '../../kernel/resource.ts'
import { picker } from '../../kinds/pick.ts'
import { dateTime, nullable, nullableInteger, nullableString } from '../../kinds/schemas.ts'
import { originOf } from '../../sites/origin.ts'
import { urlOf } from './address.ts'

const named = Type.Object({ id: Type.Integer(), public_id: Type.String(), name: Type.String() })

const productSchema = Type.Object({
  id: Type.Integer(),
  public_id: Type.String(),
  name: Type.String(),
  bump: Type.Boolean(),
  bump_preheadline: nullableString,
})

const stepSchema = Type.Object({
  id: Type.Integer(),
  public_id: Type.String(),
  name: Type.String(),
  current_path: nullableString,
  sort_order: Type.Integer({ description: 'Position in the sequence of steps that the step stands in, from 0' }),
  products: Type.Array(productSchema),
})

const pageSchema = Type.Object({
  id: Type.Integer(),
  public_id: Type.String(),
  workspace_id: Type.Integer(),
  name: Type.String(),
  description: nullableString,
  theme_id: nullableInteger,
  created_at: dateTime,
  seo_title: nullableString,
  seo_description: nullableString,
  seo_index: Type.Boolean(),
  block_ai_crawler: Type.Boolean(),
  block_ai_search: Type.Boolean(),
  block_ai_assistant: Type.Boolean(),
  updated_at: dateTime,
  type: nullable(Type.Enum(['landing_page', 'site_page', 'funnel_page', 'theme_page'])),
  external: Type.Boolean(),
  external_url: nullableString,
  current_path: nullableString,
  url: nullableString,
  show_page_step: nullable(stepSchema),
  funnel: nullable(named),
  sdk: nullable(Type.Object({ token: Type.String(), external_url: Type.String() })),
})

const code = { head_code: nullableString, footer_code: nullableString, custom_css: nullableString }

const pick = picker([
  'id',
  'public_id',
  'workspace_id',
  'name',
  'description',
  'theme_id',
  'created_at',
  'seo_title',
  'seo_description',
])
const pickFlags = picker(['seo_index', 'block_ai_crawler', 'block_ai_search', 'block_ai_assistant', 'updated_at'])
const pickNamed = picker(['id', 'public_id', 'name'])

const presentProducts = async (step: Document, load: Loader): Promise<JsonObject[]> => {
  const attached = productsOf(step)
  if (attached.length === 0) return []
  const products = await Promise.all(attached.map(({ product_id }) => load.one('product', product_id)))
  return attached.flatMap(({ bump, bump_preheadline }, index) => {
    const product = products[index]
    return product ? [{ ...pickNamed(product), bump, bump_preheadline }] : []
  })
}

/** The step of a page with its funnel; nothing while no funnel shows the page. */
const placeOf = async (page: Document, load: Loader) => {
  const [step] = await load.where('funnels/show_page_step', 'page_id', Number(page.id))
  const funnel = step && (await load.one('funnel', Number(step.funnel_id)))
  const located = funnel && locatePage(treeOf(funnel), Number(page.id))
  return step && funnel && located ? { step, funnel, ...located } : undefined
}

const typeOf = (page: Document, placed: boolean, isHomepage: boolean): string | null => {
  if (placed) return 'funnel_page'
  if (typeof page.theme_id === 'number') return 'theme_page'
  if (isHomepage) return 'site_page'
  return page.external === true ? null : 'landing_page'
}

const expanded = (page: Document, expand: ReadonlySet<string>): JsonObject => {
  const parts = [...Object.keys(code), 'markup'].filter((name) => expand.has(name))
  return Object.fromEntries(parts.map((name) => [name, page[name] ?? (name === 'markup' ? '' : null)]))
}

/** A page with its place in a funnel, if it has one. */
export const pageView: View = {
  schema: pageSchema,
  expands: { ...code, markup: Type.String() },
  async present(page, load, expand) {
    const [place, site] = await Promise.all([placeOf(page, load), load.one('site', Number(page.workspace_id))])
    const origin = await originOf(load, Number(page.workspace_id), place?.funnel.domain_id as number | null | undefined)
    const isHomepage = site?.homepage_id === page.id
    const stepPath = place?.node.current_path ?? null
    return {
      ...pick(page),
      ...pickFlags(page),
      type: typeOf(page, place !== undefined, isHomepage),
      external: page.external,
      external_url: page.external_url,
      current_path: page.current_path,
      url: urlOf(page, origin, place && { funnelPath: String(place.funnel.current_path), stepPath }, isHomepage),
      show_page_step: place
        ? {
            id: place.step.id,
            public_id: place.step.public_id,
            name: page.name,
            current_path: page.external === true ? null : stepPath,
            sort_order: place.place.index,
            products: await presentProducts(place.step, load),
          }
        : null,
      funnel: place ? pickNamed(place.funnel) : null,
      sdk: page.external === true ? { token: page.token, external_url: page.external_url } : null,
      ...expanded(page, expand),
    }
  },
}
