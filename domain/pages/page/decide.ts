import type { Command, Decision } from '../../kernel/decider.ts'
import type { Json, JsonObject } from '../../kernel/event.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { codeChanges } from '../../kinds/code.ts'
import { changedOnly } from '../../kinds/former.ts'
import { markupProblem } from '../markup/check.ts'
import type { PageEvent, SearchSettings } from './events.ts'
import { externalUrl } from './external-url.ts'
import { NO_CODE, type PageState } from './state.ts'

/** What a client may say of a page; absent keys are left alone, code comes beside its modes. */
export interface PageFields extends JsonObject {
  readonly name?: string
  readonly description?: string | null
  readonly markup?: string
  readonly external_url?: Json
}

export type PageCommand = Command &
  (
    | { readonly type: 'CreatePage'; readonly fields: PageFields; readonly path: string }
    | { readonly type: 'RegisterExternalPage'; readonly fields: PageFields; readonly token: string }
    /** `misplaced`: names of fields that only the other kind of page has, by kind. */
    | {
        readonly type: 'ChangePage'
        readonly fields: PageFields
        readonly hostedOnly: readonly string[]
        readonly externalOnly: readonly string[]
      }
    | { readonly type: 'DeletePage'; readonly pageId: number }
  )

export interface PageFacts {
  /** Whether a theme shows the page in one of its slots. */
  readonly requiredByTheme: boolean
}

type Page = Decision<PageEvent>
type CommandOf<T extends PageCommand['type']> = Extract<PageCommand, { readonly type: T }>

/** Search settings of a page that says nothing of them. */
export const SEARCH_DEFAULTS: SearchSettings = {
  seo_title: null,
  seo_description: null,
  seo_index: false,
  block_ai_crawler: false,
  block_ai_search: false,
  block_ai_assistant: false,
}
const SEARCH_FIELDS = Object.keys(SEARCH_DEFAULTS)

const only = (fields: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => names.includes(name) && value !== undefined))

/** A refusal of fields that must not be sent here. */
export const unpermitted = (text: string, names: readonly string[]): Refusal =>
  new Refusal(
    'invalid',
    text,
    names.map((field) => ({ field, code: 'unpermitted', message: text })),
  )

export const notValidFor = (kind: 'external' | 'internal', names: readonly string[]): Refusal =>
  unpermitted(`The following fields are not valid for ${kind} pages: ${names.join(', ')}.`, names)

const create = (state: PageState, { fields, path }: CommandOf<'CreatePage'>): Page => {
  if (state.status !== 'absent') return []
  const code = codeChanges(NO_CODE, fields)
  if (code instanceof Refusal) return code
  const { name = '', description = null, markup = '', theme_id = null } = fields
  const problem = markupProblem(markup)
  if (problem) return problem
  const search = { ...SEARCH_DEFAULTS, ...only(fields, SEARCH_FIELDS) }
  const data = {
    name,
    description,
    current_path: path,
    theme_id: theme_id as number | null,
    markup,
    ...search,
    ...NO_CODE,
    ...code,
  }
  return [{ type: 'PageCreated', data }]
}

const hostOf = (url: string): string => new URL(url).host

const register = (state: PageState, { fields, token }: CommandOf<'RegisterExternalPage'>): Page => {
  if (state.status !== 'absent') return []
  const { external_url: sent } = fields
  if (sent === undefined || sent === null || sent === '') {
    return refuse.invalid('external_url is required for external pages.', 'external_url', 'blank')
  }
  const url = externalUrl(String(sent))
  if (url instanceof Refusal) return url
  const data = {
    name: fields.name?.trim() ? fields.name : hostOf(url),
    description: fields.description ?? null,
    external_url: url,
  }
  return [
    { type: 'ExternalPageRegistered', data },
    { type: 'TokenMinted', data: { token } },
  ]
}

/** The token is not touched: a page is known by it wherever it moves. */
const urlEvents = (state: PageState, sent: Json | undefined): readonly PageEvent[] | Refusal => {
  if (sent === undefined || state.externalUrl === null) return []
  if (sent === null || sent === '')
    return refuse.invalid('external_url is required for external pages.', 'external_url', 'blank')
  const url = externalUrl(String(sent))
  if (url instanceof Refusal) return url
  return url === state.externalUrl
    ? []
    : [{ type: 'ExternalUrlMoved', data: { external_url: url, former_url: state.externalUrl } }]
}

const change = (state: PageState, { fields, hostedOnly, externalOnly }: CommandOf<'ChangePage'>): Page => {
  if (state.external && hostedOnly.length > 0) return notValidFor('external', hostedOnly)
  if (!state.external && externalOnly.length > 0) return notValidFor('internal', externalOnly)
  const code = codeChanges(state.code, state.external ? {} : fields)
  if (code instanceof Refusal) return code
  const changed = changedOnly(state.values, only(fields, ['name', 'description', 'markup', ...SEARCH_FIELDS]))
  const problem = typeof changed.markup === 'string' ? markupProblem(changed.markup) : undefined
  if (problem) return problem
  const moved = urlEvents(state, fields.external_url)
  if (moved instanceof Refusal) return moved
  const search = only(changed, SEARCH_FIELDS)
  const events: PageEvent[] = []
  if (typeof changed.name === 'string') events.push({ type: 'PageRenamed', data: { name: changed.name } })
  if (changed.description !== undefined)
    events.push({ type: 'PageDescribed', data: { description: changed.description as string | null } })
  if (Object.keys(search).length > 0) events.push({ type: 'SearchSettingsSet', data: search })
  if (Object.keys(code).length > 0) events.push({ type: 'PageCodeSet', data: code })
  if (typeof changed.markup === 'string') events.push({ type: 'MarkupPublished', data: { markup: changed.markup } })
  return [...events, ...moved]
}

/** The rules of a page (spec 4.2; rule books "Page registration and tokens", "Hosted pages"). */
export const decide = (state: PageState, command: PageCommand, { requiredByTheme }: PageFacts): Page => {
  if (command.type === 'CreatePage') return create(state, command)
  if (command.type === 'RegisterExternalPage') return register(state, command)
  if (state.status !== 'present') return refuse.notFound()
  if (command.type === 'ChangePage') return change(state, command)
  if (requiredByTheme)
    return refuse.invalid('This page is required by the theme and cannot be deleted.', 'id', 'required')
  return [{ type: 'PageDeleted', data: {} }]
}
