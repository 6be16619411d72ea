import { Type } from 'typebox'
import type { JsonObject } from '../../kernel/event.ts'
import { text } from '../../kernel/fields.ts'
import type { WriteInput } from '../../kernel/resource.ts'
import { codeModes } from '../../kinds/code.ts'
import { show, workspace } from '../../kinds/operations.ts'
import { serve } from '../../kinds/serve.ts'
import { publicId } from '../../kinds/view.ts'
import { changes } from '../../kinds/writes.ts'
import { site } from './model.ts'
import { sites } from './rules.ts'

/** What can be no id is the id of no page. */
const wanted = ({ fields, parseId }: WriteInput): JsonObject => {
  const { homepage_id: sent } = fields
  if (sent === undefined) return fields
  return { ...fields, homepage_id: sent === null || sent === '' ? null : (parseId(sent, 'page') ?? 0) }
}

const SITE = '/workspaces/{workspace_id}/site'

/** Site. One theme serves site, blog and store. */
export const siteResource = serve(site, sites, {
  tag: 'Site',
  root: 'site',
  category: 'sites',
  under: workspace,
  view: {
    homepage_id: { one: 'homepage_id', shows: publicId },
    theme_id: { one: 'theme_id', shows: publicId },
    blog_theme_id: { one: 'theme_id', shows: publicId },
    store_theme_id: { one: 'theme_id', shows: publicId },
    /** The contract lets clients ask for the markup of a site, which has none of its own. */
    markup: { expand: true, schema: Type.String(), of: () => '' },
  },
  operations: {
    getSite: show(SITE),
    updateSite: changes(SITE, {
      input: {
        homepage_id: text({ nullable: true, about: 'Public id of the page at /; empty for none' }),
        ...codeModes('head_code', 'footer_code'),
      },
      wanted,
    }),
  },
})
