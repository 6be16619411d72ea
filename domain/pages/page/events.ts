import type { JsonObject } from '../../kernel/event.ts'
import { firstVersions } from '../../kernel/event-types.ts'

/** How search engines and their like are told to treat a page. */
export interface SearchSettings extends JsonObject {
  readonly seo_title: string | null
  readonly seo_description: string | null
  readonly seo_index: boolean
  readonly block_ai_crawler: boolean
  readonly block_ai_search: boolean
  readonly block_ai_assistant: boolean
}

/** Code that is injected into the page; `null` for none. */
export interface PageCode extends JsonObject {
  readonly head_code: string | null
  readonly footer_code: string | null
  readonly custom_css: string | null
}

/** Storage formats: change them only together with an upcast. */
export type PageEvent =
  | {
      readonly type: 'PageCreated'
      readonly data: SearchSettings &
        PageCode & {
          readonly name: string
          readonly description: string | null
          readonly current_path: string
          readonly theme_id: number | null
          readonly markup: string
        }
    }
  | {
      readonly type: 'ExternalPageRegistered'
      readonly data: { readonly name: string; readonly description: string | null; readonly external_url: string }
    }
  /** Once in the life of an external page: by it a page is known, whatever its address. */
  | { readonly type: 'TokenMinted'; readonly data: { readonly token: string } }
  | { readonly type: 'PageRenamed'; readonly data: { readonly name: string } }
  | { readonly type: 'PageDescribed'; readonly data: { readonly description: string | null } }
  | { readonly type: 'SearchSettingsSet'; readonly data: Partial<SearchSettings> & JsonObject }
  | { readonly type: 'PageCodeSet'; readonly data: Partial<PageCode> & JsonObject }
  | { readonly type: 'MarkupPublished'; readonly data: { readonly markup: string } }
  | { readonly type: 'ExternalUrlMoved'; readonly data: { readonly external_url: string; readonly former_url: string } }
  | { readonly type: 'PageDeleted'; readonly data: Record<string, never> }

export const pageEvents = firstVersions<PageEvent['type']>(
  'PageCreated',
  'ExternalPageRegistered',
  'TokenMinted',
  'PageRenamed',
  'PageDescribed',
  'SearchSettingsSet',
  'PageCodeSet',
  'MarkupPublished',
  'ExternalUrlMoved',
  'PageDeleted',
)
