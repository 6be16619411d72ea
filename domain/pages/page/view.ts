import { Type } from 'typebox'
import { funnel, showPageStep } from '../../funnels/funnel/model.ts'
import type { AttachedProduct } from '../../funnels/public.ts'
import { locatePage } from '../../funnels/public.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { picker } from '../../resources/pick.ts'
import { dateTime, nullable, nullableInteger, nullableString } from '../../resources/schemas.ts'
import type { Loader } from '../../resources/view-types.ts'
import { originOf } from '../../sites/public.ts'
import { serializeMarkup } from '../markup/serialize.ts'
import { urlOf } from './address.ts'
import type { page } from './model.ts'
import { picturesSchema } from './pictures-schema.ts'

type Page = RecordOf<typeof page>

const naming = { id: Type.Integer(), public_id: Type.String(), name: Type.String() }
const product = Type.Object({ ...naming, bump: Type.Boolean(), bump_preheadline: nullableString })
const step = Type.Object({
  ...naming,
  current_path: nullableString,
  sort_order: Type.Integer({ description: 'Position in the sequence of steps that the step stands in, from 0' }),
  products: Type.Array(product),
})
/** Fields that are taken from the record unchanged. */
const own = {
  ...naming,
  workspace_id: Type.Integer(),
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
  external: Type.Boolean(),
  external_url: nullableString,
  current_path: nullableString,
}
const computed = {
  type: nullable(Type.Enum(['landing_page', 'site_page', 'funnel_page', 'theme_page'])),
  url: nullableString,
  show_page_step: nullable(step),
  funnel: nullable(Type.Object(naming)),
  sdk: nullable(Type.Object({ token: Type.String(), external_url: Type.String() })),
}
const code = { head_code: nullableString, footer_code: nullableString, custom_css: nullableString }
const expands = { ...code, markup: Type.String() }

const pickOwn = picker(Object.keys(own))
const pickNamed = picker(Object.keys(naming))

const presentProducts = async (attached: readonly AttachedProduct[], load: Loader): Promise<readonly JsonObject[]> => {
  const products = await Promise.all(attached.map(({ product_id }) => load.one('product', product_id)))
  return attached.flatMap(({ bump, bump_preheadline }, index) => {
    const product = products[index]
    return product ? [{ ...pickNamed(product), bump, bump_preheadline }] : []
  })
}

/** Loads the step of a page with its funnel; `undefined` while no funnel shows the page. */
export const placeOf = async ({ id }: Page, load: Loader) => {
  const [shown] = (await load.where('funnels/show_page_step', 'page_id', id)).map(recordOf(showPageStep))
  const found = shown && (await load.one('funnel', shown.funnel_id))
  const parent = found && recordOf(funnel)(found)
  const located = parent && locatePage(parent.tree, id)
  return located && { step: shown, funnel: parent, path: located.node.current_path, index: located.place.index }
}

/** Returns the type of a page: where it is shown. */
export const typeOf = ({ theme_id, external }: Page, isPlaced: boolean, isHomepage: boolean) => {
  if (isPlaced) return 'funnel_page'
  if (typeof theme_id === 'number') return 'theme_page'
  if (isHomepage) return 'site_page'
  return external ? null : 'landing_page'
}

/** Returns the pictures of other hosts, as far as the images that stand in their place are still there. */
const presentPictures = async ({ pictures }: Page, load: Loader): Promise<readonly JsonObject[]> => {
  const there = new Set(
    (
      await load.many(
        'image',
        pictures.flatMap(({ image_id }) => image_id ?? []),
      )
    ).map(({ id }) => id),
  )
  return pictures.map(({ src, image_id, problem }) =>
    image_id === null || there.has(image_id)
      ? { src, image_id, problem }
      : { src, image_id: null, problem: 'was removed from the images of the workspace' },
  )
}

/** A page with its place in a funnel, if it has one. */
export const pageView = {
  schema: Type.Object({ ...own, ...computed, pictures: Type.Optional(picturesSchema) }),
  expands,
  async present(record: Page, load: Loader, expand: ReadonlySet<string>): Promise<JsonObject> {
    const { workspace_id = 0, name, external, external_url, token } = record
    const [place, site] = await Promise.all([placeOf(record, load), load.one('site', workspace_id)])
    const origin = await originOf(load, workspace_id, place?.funnel.domain_id)
    const isHomepage = site?.homepage_id === record.id
    const address = place && { funnelPath: String(place.funnel.current_path), stepPath: place.path }
    if (expand.has('markup')) await load.slice()
    const expanded = Object.keys(expands).filter((part) => expand.has(part))
    return {
      ...pickOwn(record),
      type: typeOf(record, place !== undefined, isHomepage),
      url: urlOf(record, origin, address, isHomepage),
      show_page_step: place
        ? {
            id: place.step.id,
            public_id: place.step.public_id,
            name,
            current_path: external ? null : place.path,
            sort_order: place.index,
            products: await presentProducts(place.step.products, load),
          }
        : null,
      funnel: place ? pickNamed(place.funnel) : null,
      sdk: external ? { token, external_url } : null,
      ...(expand.has('markup') && { pictures: await presentPictures(record, load) }),
      ...picker(expanded)({ ...record, ...(expand.has('markup') && { markup: serializeMarkup(record.markup ?? '') }) }),
    }
  },
}
