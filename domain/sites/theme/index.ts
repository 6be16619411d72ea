import { Type } from 'typebox'
import { parseStream } from '../../kernel/decider.ts'
import type { JsonObject, RecordedEvent } from '../../kernel/event.ts'
import type { FieldTable } from '../../kernel/field.ts'
import { reference, text } from '../../kernel/fields.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { Loader, Resource, WriteInput } from '../../kernel/resource.ts'
import { basics } from '../../kinds/former.ts'
import { change, list, show, workspace } from '../../kinds/operations.ts'
import { picker } from '../../kinds/pick.ts'
import { nullable, nullableDateTime, nullableInteger, nullableString } from '../../kinds/schemas.ts'
import { structure } from '../../kinds/structure.ts'
import { type SiteCommand, siteAggregate } from '../site/aggregate.ts'
import { type StyleOfTheme, type ThemeCommand, type ThemeEvent, type ThemeWish, themeAggregate } from './aggregate.ts'
import { TEMPLATE_SLOTS } from './slots.ts'

const fields: FieldTable = {
  custom_name: text({ nullable: true, about: 'Overrides the name' }),
  current_style_id: reference('style', { nullable: true }),
  template_pages: structure(
    Type.Record(Type.String(), nullableString),
    'Public ids of pages by template type; an empty text clears one, types that are left out stay',
  ),
}

const stylesOf = (document: JsonObject): readonly StyleOfTheme[] => (document.styles ?? []) as readonly StyleOfTheme[]
const pagesOf = (document: JsonObject | undefined): Readonly<Record<string, number | null>> =>
  (document?.template_pages ?? {}) as Readonly<Record<string, number | null>>

const step = (document: JsonObject | undefined, event: ThemeEvent): JsonObject => {
  switch (event.type) {
    case 'ThemeInstalled': {
      const current_style_id = event.data.styles[0]?.id ?? null
      return { ...event.data, custom_name: null, current_style_id, template_pages: {}, template_page_ids: [] }
    }
    case 'TemplatePagesSet': {
      const template_pages = { ...pagesOf(document), ...event.data.template_pages }
      const template_page_ids = Object.values(template_pages).filter((id) => id !== null)
      return { ...document, template_pages, template_page_ids }
    }
    default:
      return { ...document, ...event.data }
  }
}

const pick = picker([
  'id',
  'public_id',
  'workspace_id',
  'name',
  'custom_name',
  'current_style_id',
  'created_at',
  'updated_at',
])

const presentSlots = async (document: Document, load: Loader): Promise<JsonObject> => {
  const held = pagesOf(document)
  const pages = await Promise.all(TEMPLATE_SLOTS.map((slot) => load.one('page', held[slot])))
  return Object.fromEntries(TEMPLATE_SLOTS.map((slot, index) => [slot, pages[index]?.public_id ?? null]))
}

const pagesWished = ({ fields: { template_pages: sent }, parseId }: WriteInput): ThemeWish | Refusal => {
  if (sent === undefined || sent === null) return {}
  if (typeof sent !== 'object' || Array.isArray(sent))
    return refuse.invalid('Template pages must be an object', 'template_pages', 'type')
  const pages = Object.entries(sent).map(
    ([slot, id]) => [slot, id === null || id === '' ? null : (parseId(id, 'page') ?? 0)] as const,
  )
  return { template_pages: Object.fromEntries(pages) }
}

const changeTheme = (input: WriteInput): ThemeCommand | Refusal => {
  const pages = pagesWished(input)
  if (pages instanceof Refusal) return pages
  const { template_pages: _, ...own } = input.fields
  return { type: 'ChangeTheme', wish: { ...(own as ThemeWish), ...pages }, ...basics(input) }
}

/** Theme: the look of a workspace's pages, with its styles. */
export const theme: Resource = {
  name: 'theme',
  tag: 'Theme',
  root: 'theme',
  category: 'sites',
  under: workspace,
  aggregate: themeAggregate,
  documents: {
    version: 1,
    evolve: (document, event: RecordedEvent) => step(document, event as RecordedEvent & ThemeEvent),
    indexes: [{ fields: ['workspace_id', 'template_page_ids'] }],
  },
  view: {
    schema: Type.Object({
      id: Type.Integer(),
      public_id: nullableString,
      workspace_id: Type.Integer(),
      name: Type.String(),
      custom_name: nullableString,
      current_style_id: nullableInteger,
      created_at: nullableDateTime,
      updated_at: nullableDateTime,
      styles: nullable(Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }))),
      template_pages: Type.Record(Type.String(), nullableString),
    }),
    present: async (document, load) => ({
      ...pick(document),
      styles: stylesOf(document),
      template_pages: await presentSlots(document, load),
    }),
  },
  operations: {
    listThemes: list('/workspaces/{workspace_id}/themes'),
    getThemes: show('/themes/{id}'),
    updateThemes: change('/themes/{id}', 'theme', fields, { command: changeTheme }),
    set_defaultThemes: {
      kind: 'write',
      method: 'POST',
      path: '/themes/{id}/set_default',
      summary: "Makes this theme the workspace's default",
      on: 'record',
      answers: 204,
      command: (input): ThemeCommand => ({ type: 'ChangeTheme', wish: {}, ...basics(input) }),
      async followUps(input) {
        const command: SiteCommand = { type: 'ChooseTheme', themeId: input.id, ...basics(input) }
        return [{ aggregate: siteAggregate, id: Number(input.document?.workspace_id), command }]
      },
    },
  },
}

const styleSchema = Type.Object({
  id: Type.Integer(),
  public_id: nullableString,
  workspace_id: Type.Integer(),
  theme_id: nullableInteger,
  name: Type.String(),
  created_at: nullableString,
  updated_at: nullableString,
})

/** Style: the CSS specifics of a theme, in the theme's stream. Read-only. */
export const style: Resource = {
  name: 'style',
  tag: 'Style',
  root: 'style',
  category: 'sites',
  under: workspace,
  aggregate: themeAggregate,
  documents: {
    version: 1,
    touches: (event) => (event.type === 'ThemeInstalled' ? stylesOf(event.data).map(({ id }) => id) : []),
    evolve: (_document, event, id) => ({
      theme_id: parseStream(event.stream).id,
      name: stylesOf(event.data).find((one) => one.id === id)?.name ?? '',
    }),
    aggregateId: (document) => Number(document.theme_id),
  },
  view: { schema: styleSchema, present: picker(Object.keys(styleSchema.properties)) },
  operations: { listStyles: list('/workspaces/{workspace_id}/styles') },
}
