import type { Aggregate, Command, Decision, FactReader, Happened } from '../../kernel/decider.ts'
import type { JsonObject } from '../../kernel/event.ts'
import { firstVersions } from '../../kernel/event-types.ts'
import { refuse } from '../../kernel/refusal.ts'
import { TEMPLATE_SLOTS } from './slots.ts'

export interface StyleOfTheme extends JsonObject {
  readonly id: number
  readonly name: string
}

/** Storage formats. */
export type ThemeEvent =
  | {
      readonly type: 'ThemeInstalled'
      readonly data: { readonly name: string; readonly styles: readonly StyleOfTheme[] }
    }
  | { readonly type: 'ThemeRenamed'; readonly data: { readonly custom_name: string | null } }
  | { readonly type: 'StyleChosen'; readonly data: { readonly current_style_id: number | null } }
  | {
      readonly type: 'TemplatePagesSet'
      readonly data: { readonly template_pages: Readonly<Record<string, number | null>> }
    }

export interface ThemeWish {
  readonly custom_name?: string | null
  readonly current_style_id?: number | null
  /** By slot; 0 stands for an id that cannot be one. */
  readonly template_pages?: Readonly<Record<string, number | null>>
}

export type ThemeCommand = Command &
  (
    | { readonly type: 'InstallTheme'; readonly name: string; readonly styles: readonly StyleOfTheme[] }
    | { readonly type: 'ChangeTheme'; readonly wish: ThemeWish }
  )

interface ThemeState {
  readonly installed: boolean
  readonly workspaceId: number
  readonly customName: string | null
  readonly styles: readonly StyleOfTheme[]
  readonly styleId: number | null
  readonly pages: Readonly<Record<string, number | null>>
}

/** The pages that a command names and that are there, in the theme's workspace. */
interface ThemeFacts {
  readonly pageIds: ReadonlySet<number>
}

type Theme = Decision<ThemeEvent>

const initial: ThemeState = { installed: false, workspaceId: 0, customName: null, styles: [], styleId: null, pages: {} }

const pagesProblem = (pages: Readonly<Record<string, number | null>>, facts: ThemeFacts) => {
  const unknown = Object.keys(pages).filter((slot) => !(TEMPLATE_SLOTS as readonly string[]).includes(slot))
  if (unknown.length > 0) {
    return refuse.invalid(
      `Template pages has unknown template types: ${unknown.join(', ')}`,
      'template_pages',
      'inclusion',
    )
  }
  const missing = Object.entries(pages).filter(([, page]) => page !== null && !facts.pageIds.has(page))
  if (missing.length === 0) return undefined
  const slots = missing.map(([slot]) => slot).join(', ')
  return refuse.invalid(`Template pages must exist: ${slots}`, 'template_pages', 'not_found')
}

const change = (
  state: ThemeState,
  { custom_name, current_style_id, template_pages }: ThemeWish,
  facts: ThemeFacts,
): Theme => {
  if (typeof current_style_id === 'number' && !state.styles.some(({ id }) => id === current_style_id)) {
    return refuse.invalid('Current style must be a style of this theme', 'current_style_id', 'inclusion')
  }
  const problem = template_pages && pagesProblem(template_pages, facts)
  if (problem) return problem
  const slots = Object.entries(template_pages ?? {}).filter(([slot, page]) => (state.pages[slot] ?? null) !== page)
  const events: ThemeEvent[] = []
  if (custom_name !== undefined && custom_name !== state.customName)
    events.push({ type: 'ThemeRenamed', data: { custom_name } })
  if (current_style_id !== undefined && current_style_id !== state.styleId) {
    events.push({ type: 'StyleChosen', data: { current_style_id } })
  }
  if (slots.length > 0) events.push({ type: 'TemplatePagesSet', data: { template_pages: Object.fromEntries(slots) } })
  return events
}

const evolve = (state: ThemeState, event: Happened<ThemeEvent>): ThemeState => {
  switch (event.type) {
    case 'ThemeInstalled': {
      const { styles } = event.data
      return {
        ...state,
        installed: true,
        workspaceId: event.metadata.workspace_id ?? 0,
        styles,
        styleId: styles[0]?.id ?? null,
      }
    }
    case 'ThemeRenamed':
      return { ...state, customName: event.data.custom_name }
    case 'StyleChosen':
      return { ...state, styleId: event.data.current_style_id }
    case 'TemplatePagesSet':
      return { ...state, pages: { ...state.pages, ...event.data.template_pages } }
  }
}

const facts = async (command: ThemeCommand, read: FactReader, state: ThemeState): Promise<ThemeFacts> => {
  const wanted = command.type === 'ChangeTheme' ? Object.values(command.wish.template_pages ?? {}) : []
  const ids = wanted.filter((id) => id !== null)
  const pages = ids.length === 0 ? [] : await read.getMany('page', ids)
  return {
    pageIds: new Set(pages.flatMap((page) => (page?.workspace_id === state.workspaceId ? [Number(page.id)] : []))),
  }
}

/** A theme with its styles, which come and go with it. */
export const themeAggregate: Aggregate<ThemeState, ThemeCommand, ThemeEvent, ThemeFacts> = {
  name: 'theme',
  initial,
  events: firstVersions<ThemeEvent['type']>('ThemeInstalled', 'ThemeRenamed', 'StyleChosen', 'TemplatePagesSet'),
  decide(state, command, known) {
    if (command.type === 'InstallTheme') {
      return state.installed ? [] : [{ type: 'ThemeInstalled', data: { name: command.name, styles: command.styles } }]
    }
    return state.installed ? change(state, command.wish, known) : refuse.notFound()
  },
  evolve,
  facts,
}
