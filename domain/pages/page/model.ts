import { Type } from 'typebox'
import { managed, namesOf } from '../../kernel/model/field.ts'
import { data, flag, longText, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { code } from '../../resources/attributes/code.ts'
import { pathText } from '../../resources/attributes/path.ts'
import { pathKeyIn } from '../../resources/attributes/path-key.ts'
import { TAKEN } from './external-url.ts'

/** Picture of another host in the markup: the image that stands in its place, or why there is none. */
export type Picture = { readonly src: string; readonly image_id: number | null; readonly problem: string | null }

/** Settings of a page for search engines and AI crawlers. */
export const search = {
  seo_title: text({ nullable: true }),
  seo_description: text({ nullable: true, max: 1000 }),
  seo_index: flag({ initial: false, about: 'Search engines may index the page' }),
  block_ai_crawler: flag({ initial: false }),
  block_ai_search: flag({ initial: false }),
  block_ai_assistant: flag({ initial: false }),
}
export const codeFields = { head_code: code, footer_code: code, custom_css: code }

/** Place of the page in a funnel. Events of funnels set it, so that pages can be found by it. */
const place = {
  funnel_id: managed(reference('funnel', { nullable: true })),
  show_page_step_id: managed(reference('funnels/show_page_step', { nullable: true, onTargetEnd: 'keep' })),
  in_funnel: managed(flag({ default: false })),
}

export const SEARCH = namesOf(search)
export const CODE = namesOf(codeFields)

/** A page, hosted here or by the customer. */
export const page = model('page', {
  attributes: {
    name: text({ required: true }),
    description: text({ nullable: true, max: 1000 }),
    /** Own slug; `null` for an external page. */
    current_path: pathText({ about: 'Own slug only; absent: made up' }),
    theme_id: reference('theme', { nullable: true }),
    ...search,
    ...codeFields,
    markup: longText({ about: 'Page markup language; replaces the whole page' }),
    pictures: managed(
      data<readonly Picture[], { readonly initial: readonly [] }>(Type.Array(Type.Object({})), { initial: [] }),
      { shown: 'never' },
    ),
    external: managed(flag({ default: false })),
    external_url: managed(text({ nullable: true })),
    token: managed(text({ nullable: true })),
    /** Whether who sends its form is asked to confirm that by mail. */
    double_opt_in: managed(flag({ default: false })),
    /** Page to which its form leads while it is in no funnel. */
    next_page_id: managed(reference('page', { nullable: true })),
    ...place,
  },
  events: {
    PageCreated: {
      creates: true,
      except: ['pictures', 'external', 'external_url', 'token', 'double_opt_in', 'next_page_id', ...namesOf(place)],
    },
    ExternalPageRegistered: {
      creates: true,
      only: ['name', 'description', 'external_url'],
      constants: { external: true },
    },
    /** Happens once for a page. The token identifies the page even when its address changes. */
    TokenMinted: { sets: ['token'] },
    PageRenamed: { sets: ['name'] },
    PageDescribed: { sets: ['description'] },
    SearchSettingsSet: { changes: 'rest', only: SEARCH },
    PageCodeSet: { changes: 'rest', only: CODE },
    MarkupPublished: { sets: ['markup'] },
    PicturesFetched: { sets: ['pictures'] },
    ExternalUrlMoved: { sets: ['external_url'], addsData: ({ external_url }) => ({ former_url: external_url }) },
    OptInSettingsSet: { sets: ['double_opt_in'] },
    NextPageChosen: { sets: ['next_page_id'] },
    PageDeleted: { ends: true },
  },
  // Documents of version 1 do not count a change of their place or products, nor name the funnels that made it.
  version: 2,
  // Pages are found by their path, however it is spelled.
  derives: {
    version: 1,
    of: ({ workspace_id, current_path }) => ({ path_key: pathKeyIn(workspace_id, current_path) }),
  },
  // No two external pages of a workspace have the same address.
  unique: [{ attributes: ['external_url'], says: TAKEN }],
})
