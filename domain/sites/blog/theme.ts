import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Loader } from '../../resources/view-types.ts'
import { site } from '../site/model.ts'
import { theme } from '../theme/model.ts'
import type { blog } from './model.ts'

const openSite = recordOf(site)
const openTheme = recordOf(theme)

/** What a blog has of its theme: its own one, or else that of its site. */
export interface BlogLook {
  readonly styleId: number | null
  /** Pages that its kinds of pages are shown in. A page of a category is as the index, where it has none of its own. */
  readonly templates: { readonly [kind in 'index' | 'post' | 'category']: number | null }
}

/** Returns what a blog has of its theme. */
export const lookOf = async (
  { theme_id, site_id }: Pick<RecordOf<typeof blog>, 'theme_id' | 'site_id'>,
  load: Pick<Loader, 'one'>,
): Promise<BlogLook> => {
  const found = await load.one('site', site_id)
  const document = await load.one('theme', theme_id ?? (found && openSite(found).theme_id))
  const { template_pages: pages = {}, current_style_id = null } = document ? openTheme(document) : {}
  const index = pages.blog_template_page ?? null
  return {
    styleId: current_style_id,
    templates: {
      index,
      post: pages.blogs_post_template_page ?? null,
      category: pages.blogs_category_template_page ?? index,
    },
  }
}
