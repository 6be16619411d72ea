import type { DecisionContext, Reader } from '../../kernel/decide/rules.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { theme } from '../theme/model.ts'
import type { blog } from './model.ts'

/** Facts for decisions about a blog. */
interface BlogFacts {
  /** Whether the wanted theme lacks a page for posts. */
  readonly lacksTemplate: boolean
}

/** Rules of a blog. */
export const blogRules = {
  async loadFacts({ wanted }: DecisionContext<typeof blog>, read: Reader): Promise<BlogFacts> {
    const { theme_id } = wanted
    if (typeof theme_id !== 'number') return { lacksTemplate: false }
    const found = await read.one(theme, theme_id)
    return { lacksTemplate: typeof found?.template_pages.blogs_post_template_page !== 'number' }
  },
  save: [
    (_: DecisionContext<typeof blog>, { lacksTemplate }: BlogFacts) =>
      lacksTemplate ? refuse.invalid('Theme has no page for blog posts', 'theme_id', 'no_template') : undefined,
  ],
}
