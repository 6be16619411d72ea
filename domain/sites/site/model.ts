import { managed } from '../../kernel/model/field.ts'
import { reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { code } from '../../resources/attributes/code.ts'

/** Site of a workspace: the code on all its pages, its homepage and its theme. It has the id of the workspace, because a workspace has one site. */
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
