import { Type } from 'typebox'
import { ask } from '../../kernel/decide/ask.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { list, show, workspace } from '../../resources/operations.ts'
import { nullableInteger, nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { asks, changes } from '../../resources/writes.ts'
import { sites } from '../site/rules.ts'
import { style, theme } from './model.ts'
import { themes } from './rules.ts'
import { TEMPLATE_SLOTS } from './slots.ts'

/** Returns the input of a change. 0 stands for a value that cannot be an id. */
const changeInput = ({ fields, parseId }: WriteInput): JsonObject | Refusal => {
  const { template_pages: sent } = fields
  if (sent === undefined || sent === null) return fields
  if (typeof sent !== 'object' || Array.isArray(sent))
    return refuse.invalid('Template pages must be an object', 'template_pages', 'type')
  const pages = Object.entries(sent).map(
    ([slot, id]) => [slot, id === null || id === '' ? null : (parseId(id, 'page') ?? 0)] as const,
  )
  return { ...fields, template_pages: Object.fromEntries(pages) }
}

/** Theme, with its styles. */
export const themeResource = serve(theme, themes, {
  title: 'Theme',
  root: 'theme',
  category: 'sites',
  under: workspace,
  indexes: [{ fields: ['workspace_id', 'template_page_ids'] }],
  view: {
    template_pages: {
      schema: Type.Record(Type.String(), nullableString),
      async of({ template_pages }, load) {
        const pages = await Promise.all(TEMPLATE_SLOTS.map((slot) => load.one('page', template_pages[slot])))
        return Object.fromEntries(TEMPLATE_SLOTS.map((slot, index) => [slot, pages[index]?.public_id ?? null]))
      },
    },
  },
  operations: {
    listThemes: list('/workspaces/{workspace_id}/themes'),
    getThemes: show('/themes/{id}'),
    updateThemes: changes('/themes/{id}', { consequence: 'changes how pages look', wanted: changeInput }),
    set_defaultThemes: asks('/themes/{id}/set_default', 'change', {
      consequence: 'changes how all pages look',
      summary: "Makes this theme the workspace's default",
      answers: 204,
      wanted: () => ({}),
      followUps: async ({ id: theme_id, document }) => [
        ask(sites, Number(document?.workspace_id), 'change', { theme_id }),
      ],
    }),
  },
})

/** Style. Read-only. */
export const styleResource = serve(style, themes, {
  title: 'Style',
  root: 'style',
  category: 'sites',
  under: workspace,
  view: { theme_id: { schema: nullableInteger, of: ({ theme_id }) => theme_id } },
  operations: { listStyles: list('/workspaces/{workspace_id}/styles') },
})
