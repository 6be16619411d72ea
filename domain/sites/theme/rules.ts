import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import type { EndedReferences } from '../../resources/reference-policies.ts'
import { theme } from './model.ts'
import { TEMPLATE_SLOTS } from './slots.ts'

type Theme = DecisionContext<typeof theme>

/** Loads the ids of the requested pages that are there. */
const loadFacts = async ({ wanted }: Theme, { documents }: Reader): Promise<ReadonlySet<number>> => {
  const ids = Object.values(wanted.template_pages ?? {}).filter((id) => id !== null)
  const pages = ids.length === 0 ? [] : await documents.getMany('page', ids)
  return new Set(pages.flatMap((page) => (page ? [Number(page.id)] : [])))
}

const chooseStyle = ({ before, wanted: { current_style_id } }: Theme) =>
  typeof current_style_id === 'number' && !before?.styles.some(({ id }) => id === current_style_id)
    ? refuse.invalid('Current style must be a style of this theme', 'current_style_id', 'inclusion')
    : undefined

const setPages = ({ before, wanted: { template_pages = {} } }: Theme, pageIds: ReadonlySet<number>) => {
  const unknown = Object.keys(template_pages).filter((slot) => !TEMPLATE_SLOTS.some((known) => known === slot))
  if (unknown.length > 0) {
    const message = `Template pages has unknown template types: ${unknown.join(', ')}`
    return refuse.invalid(message, 'template_pages', 'inclusion')
  }
  const missing = Object.entries(template_pages).filter(([, page]) => page !== null && !pageIds.has(page))
  if (missing.length > 0) {
    const slots = missing.map(([slot]) => slot).join(', ')
    return refuse.invalid(`Template pages must exist: ${slots}`, 'template_pages', 'not_found')
  }
  const changed = Object.entries(template_pages).filter(
    ([slot, page]) => (before?.template_pages[slot] ?? null) !== page,
  )
  if (changed.length === 0) return undefined
  return [theme.event.TemplatePagesSet({ template_pages: Object.fromEntries(changed) })]
}

/** Clears the slots of pages that have been deleted. */
const losePages = ({ before, wanted }: ActContext<typeof theme, EndedReferences>) => {
  const slots = Object.entries(before.template_pages).filter(([, id]) => id !== null && wanted.ended_ids.includes(id))
  if (slots.length === 0) return []
  return [theme.event.TemplatePagesSet({ template_pages: Object.fromEntries(slots.map(([slot]) => [slot, null])) })]
}

/** Decider of themes. */
export const themes = decider(theme, {
  rules: rules(theme, { loadFacts, save: [chooseStyle, setPages], acts: { losePages } }),
})
