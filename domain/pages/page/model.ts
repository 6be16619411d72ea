import { managed, namesOf } from '../../kernel/model/field.ts'
import { flag, longText, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { code } from '../../resources/attributes/code.ts'
import { TAKEN } from './external-url.ts'

/** How search engines and their like are told to treat a page. */
export const search = {
  seo_title: text({ nullable: true }),
  seo_description: text({ nullable: true, max: 1000 }),
  seo_index: flag({ initial: false, about: 'Search engines may index the page' }),
  block_ai_crawler: flag({ initial: false }),
  block_ai_search: flag({ initial: false }),
  block_ai_assistant: flag({ initial: false }),
}
export const injected = { head_code: code, footer_code: code, custom_css: code }

/** Where the page stands: set by the events of funnels, so that pages are found by it. */
const place = {
  funnel_id: managed(reference('funnel', { nullable: true })),
  show_page_step_id: managed(reference('funnels/show_page_step', { nullable: true })),
  in_funnel: managed(flag({ default: false })),
}

export const SEARCH = namesOf(search)
export const CODE = namesOf(injected)

/** A page, hosted here or by the customer. */
export const page = model('page', {
  attributes: {
    name: text({ required: true }),
    description: text({ nullable: true, max: 1000 }),
    /** Own slug; `null` for an external page. */
    current_path: text({ nullable: true, about: 'Own slug only; absent: made up' }),
    theme_id: reference('theme', { nullable: true }),
    ...search,
    ...injected,
    markup: longText({ about: 'Page markup language; replaces the whole page' }),
    external: managed(flag({ default: false })),
    external_url: managed(text({ nullable: true })),
    token: managed(text({ nullable: true })),
    ...place,
  },
  events: {
    PageCreated: { creates: true, except: ['external', 'external_url', 'token', ...namesOf(place)] },
    ExternalPageRegistered: {
      creates: true,
      only: ['name', 'description', 'external_url'],
      constants: { external: true },
    },
    /** Once in the life of an external page: by it a page is known, whatever its address. */
    TokenMinted: { sets: ['token'] },
    PageRenamed: { sets: ['name'] },
    PageDescribed: { sets: ['description'] },
    SearchSettingsSet: { changes: 'rest', only: SEARCH },
    PageCodeSet: { changes: 'rest', only: CODE },
    MarkupPublished: { sets: ['markup'] },
    ExternalUrlMoved: { sets: ['external_url'], addsData: ({ external_url }) => ({ former_url: external_url }) },
    PageDeleted: { ends: true },
  },
  // An address shows one external page of a workspace.
  unique: [{ attributes: ['external_url'], says: TAKEN }],
})
