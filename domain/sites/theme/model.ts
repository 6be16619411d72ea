import { Type } from 'typebox'
import { managed, type Options, requested } from '../../kernel/model/field.ts'
import { data, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { nullableString } from '../../resources/schemas.ts'

type StyleOfTheme = { readonly id: number; readonly name: string }
type Installed = { readonly styles: readonly StyleOfTheme[] }
/** Ids of pages by slot. */
export type TemplatePages = Readonly<Record<string, number | null>>

/** CSS variant of a theme. It is created with its theme. */
export const style = model('style', {
  stream: 'theme',
  owner: 'theme_id',
  attributes: { name: managed(text({ required: true })) },
  events: {
    ThemeInstalled: {
      of: ({ styles }: Installed) => styles.map(({ id }) => id),
      evolve: (_, { styles }: Installed, { id }) => ({ name: styles.find((one) => one.id === id)?.name ?? '' }),
    },
  },
})

/** Theme, which defines the look of a workspace's pages. */
export const theme = model('theme', {
  attributes: {
    name: managed(text({ required: true })),
    custom_name: text({ nullable: true, about: 'Overrides the name' }),
    current_style_id: reference('style', { nullable: true }),
    styles: managed(
      data<readonly StyleOfTheme[], { default: [] }>(
        Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
        {
          default: [],
        },
      ),
    ),
    template_pages: requested(
      data<TemplatePages, Options & { readonly default: JsonObject }>(
        Type.Record(Type.String(), nullableString),
        {
          default: {},
          about: 'Public ids of pages by template type; an empty text clears one, types that are left out stay',
        },
        Type.Record(Type.String(), Type.Union([nullableString, Type.Integer()])),
      ),
    ),
  },
  events: {
    ThemeInstalled: {
      creates: true,
      only: ['name', 'styles'],
      evolve: (_, { styles }: Installed) => ({ current_style_id: styles[0]?.id ?? null }),
    },
    ThemeRenamed: { sets: ['custom_name'] },
    StyleChosen: { sets: ['current_style_id'] },
    TemplatePagesSet: {
      evolve: (before, { template_pages }: { readonly template_pages: TemplatePages }) => ({
        template_pages: { ...before?.template_pages, ...template_pages },
      }),
    },
  },
  derives: {
    version: 1,
    of: ({ template_pages }) => ({ template_page_ids: Object.values(template_pages).filter((id) => id !== null) }),
  },
  references: { template_page_ids: { to: 'page', setBy: ['TemplatePagesSet'], onTargetEnd: { act: 'losePages' } } },
  children: { styles: { model: style, key: 'style_id' } },
})
