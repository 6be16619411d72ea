import { managed } from '../../kernel/model/field.ts'
import { reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { code } from '../../resources/attributes/code.ts'

/** The code that all pages of a workspace carry, its homepage and its theme. It has the workspace's id: a workspace has one site. */
export const site = model('site', {
  attributes: {
    name: text({ required: true }),
    homepage_id: reference('page', { nullable: true, emptyIsNull: true, about: 'The page at /; empty for none' }),
    theme_id: managed(reference('theme', { nullable: true })),
    head_code: code,
    footer_code: code,
  },
  events: {
    SiteOpened: { creates: true, only: ['name'] },
    SiteRenamed: { sets: ['name'] },
    HomepageChosen: { sets: ['homepage_id'] },
    ThemeChosen: { sets: ['theme_id'] },
    SiteCodeSet: { changes: 'rest', only: ['head_code', 'footer_code'] },
  },
})
