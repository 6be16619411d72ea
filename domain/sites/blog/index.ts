import { Type } from 'typebox'
import type { RecordOf } from '../../kernel/model/model.ts'
import { list, show, workspace } from '../../resources/operations.ts'
import { nullableInteger } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import type { Loader } from '../../resources/view-types.ts'
import { changes } from '../../resources/writes.ts'
import { addressAt } from '../origin.ts'
import { sites } from '../site/rules.ts'
import { blog } from './model.ts'
import { type BlogLook, lookOf } from './theme.ts'

type Blog = RecordOf<typeof blog>

const ofTheme = (about: string, part: (look: BlogLook) => number | null) => ({
  schema: { ...nullableInteger, description: about },
  of: async (record: Blog, load: Loader) => part(await lookOf(record, load)),
})

/** Blog. A site begins with one. */
export const blogResource = serve(blog, sites, {
  title: 'Blog',
  root: 'blog',
  category: 'blog',
  under: workspace,
  view: {
    site_id: { schema: nullableInteger, of: ({ site_id }) => site_id },
    url: {
      schema: Type.String(),
      of: ({ workspace_id = 0, current_path }, load) => addressAt(load, workspace_id, current_path),
    },
    resolved_template_page_id: ofTheme('Page around its index', ({ templates }) => templates.index),
    resolved_post_template_page_id: ofTheme('Page around its posts', ({ templates }) => templates.post),
    resolved_category_template_page_id: ofTheme('Page around its categories', ({ templates }) => templates.category),
    style_id: ofTheme('Style of its theme', ({ styleId }) => styleId),
  },
  operations: {
    listBlogs: list('/workspaces/{workspace_id}/blogs'),
    getBlog: show('/blogs/{id}'),
    updateBlog: changes('/blogs/{id}', { method: 'PATCH' }),
  },
})
