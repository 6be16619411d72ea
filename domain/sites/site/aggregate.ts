import type { Aggregate, Command, Decision, Happened } from '../../kernel/decider.ts'
import type { JsonObject } from '../../kernel/event.ts'
import { firstVersions } from '../../kernel/event-types.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { codeChanges } from '../../kinds/code.ts'

interface SiteCode extends JsonObject {
  readonly head_code: string | null
  readonly footer_code: string | null
}

/** Storage formats. */
export type SiteEvent =
  | { readonly type: 'SiteOpened'; readonly data: { readonly name: string } }
  | { readonly type: 'SiteRenamed'; readonly data: { readonly name: string } }
  | { readonly type: 'SiteCodeSet'; readonly data: Partial<SiteCode> & JsonObject }
  | { readonly type: 'HomepageChosen'; readonly data: { readonly homepage_id: number | null } }
  | { readonly type: 'ThemeChosen'; readonly data: { readonly theme_id: number } }

export type SiteCommand = Command &
  (
    | { readonly type: 'OpenSite'; readonly name: string }
    | {
        readonly type: 'ChangeSite'
        readonly workspaceId: number
        readonly name?: string
        readonly homepageId?: number | null
        readonly code: JsonObject
      }
    /** `first`: only when the site has no theme yet. */
    | { readonly type: 'ChooseTheme'; readonly themeId: number; readonly first?: boolean }
    | { readonly type: 'ForgetPage'; readonly pageId: number }
  )

interface SiteState {
  readonly open: boolean
  readonly name: string
  readonly code: SiteCode
  readonly homepageId: number | null
  readonly themeId: number | null
}

/** Whether the page that is to become the homepage is there, in the same workspace. */
interface SiteFacts {
  readonly pageFound: boolean
}

type Site = Decision<SiteEvent>

const initial: SiteState = {
  open: false,
  name: '',
  code: { head_code: null, footer_code: null },
  homepageId: null,
  themeId: null,
}

const change = (
  state: SiteState,
  command: Extract<SiteCommand, { readonly type: 'ChangeSite' }>,
  { pageFound }: SiteFacts,
): Site => {
  const code = codeChanges(state.code, command.code)
  if (code instanceof Refusal) return code
  const { name, homepageId } = command
  if (typeof homepageId === 'number' && !pageFound)
    return refuse.invalid('Homepage must exist', 'homepage_id', 'not_found')
  const events: SiteEvent[] = []
  if (name !== undefined && name !== state.name) events.push({ type: 'SiteRenamed', data: { name } })
  if (homepageId !== undefined && homepageId !== state.homepageId) {
    events.push({ type: 'HomepageChosen', data: { homepage_id: homepageId } })
  }
  if (Object.keys(code).length > 0) events.push({ type: 'SiteCodeSet', data: code })
  return events
}

const decide = (state: SiteState, command: SiteCommand, facts: SiteFacts): Site => {
  if (command.type === 'OpenSite') return state.open ? [] : [{ type: 'SiteOpened', data: { name: command.name } }]
  if (!state.open) return refuse.notFound()
  switch (command.type) {
    case 'ChangeSite':
      return change(state, command, facts)
    case 'ChooseTheme':
      if (command.themeId === state.themeId || (command.first && state.themeId !== null)) return []
      return [{ type: 'ThemeChosen', data: { theme_id: command.themeId } }]
    case 'ForgetPage':
      return state.homepageId === command.pageId ? [{ type: 'HomepageChosen', data: { homepage_id: null } }] : []
  }
}

const evolve = (state: SiteState, event: Happened<SiteEvent>): SiteState => {
  switch (event.type) {
    case 'SiteOpened':
    case 'SiteRenamed':
      return { ...state, open: true, name: event.data.name }
    case 'SiteCodeSet':
      return { ...state, code: { ...state.code, ...event.data } }
    case 'HomepageChosen':
      return { ...state, homepageId: event.data.homepage_id }
    case 'ThemeChosen':
      return { ...state, themeId: event.data.theme_id }
  }
}

/** The site of a workspace. It has the workspace's id: a workspace has one site. */
export const siteAggregate: Aggregate<SiteState, SiteCommand, SiteEvent, SiteFacts> = {
  name: 'site',
  initial,
  events: firstVersions<SiteEvent['type']>('SiteOpened', 'SiteRenamed', 'SiteCodeSet', 'HomepageChosen', 'ThemeChosen'),
  decide,
  evolve,
  async facts(command, read) {
    if (command.type !== 'ChangeSite' || typeof command.homepageId !== 'number') return { pageFound: false }
    const page = await read.get('page', command.homepageId)
    return { pageFound: page !== undefined && page.workspace_id === command.workspaceId }
  },
}
