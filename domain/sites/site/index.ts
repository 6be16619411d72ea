import { Type } from 'typebox'
import { codeModes } from '../../resources/attributes/code.ts'
import { show, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { publicId } from '../../resources/view.ts'
import { changes } from '../../resources/writes.ts'
import { site } from './model.ts'
import { sites } from './rules.ts'

const SITE = '/workspaces/{workspace_id}/site'

/** Site. One theme serves site, blog and store. */
export const siteResource = serve(site, sites, {
  title: 'Site',
  root: 'site',
  category: 'sites',
  under: workspace,
  view: {
    homepage_id: { one: 'homepage_id', shows: publicId },
    theme_id: { one: 'theme_id', shows: publicId },
    blog_theme_id: { one: 'theme_id', shows: publicId },
    store_theme_id: { one: 'theme_id', shows: publicId },
    /** The contract lets clients expand the markup of a site. It is empty, because a site has none of its own. */
    markup: { expand: true, schema: Type.String(), of: () => '' },
  },
  operations: {
    getSite: show(SITE),
    updateSite: changes(SITE, {
      consequence: 'changes all pages, with the scripts in them',
      input: codeModes('head_code', 'footer_code'),
    }),
  },
})
