import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, rules } from '../../kernel/decide/rules.ts'
import { mergeCode } from '../../resources/attributes/code.ts'
import { site } from './model.ts'

/** The first theme of a workspace is its default. */
const beginWithTheme = ({ before, wanted: { theme_id } }: ActContext<typeof site>) =>
  before.theme_id === null ? [site.event.ThemeChosen({ theme_id: theme_id ?? null })] : []

const forgetPage = ({ before, wanted }: ActContext<typeof site, { readonly page_id: number }>) =>
  before.homepage_id === wanted.page_id ? [site.event.HomepageChosen({ homepage_id: null })] : []

/** The rules of a workspace's site. */
export const sites = decider(site, {
  rules: rules(site, {
    save: [mergeCode('head_code', 'footer_code')],
    acts: { beginWithTheme, forgetPage },
  }),
  formerly: { ChooseTheme: ({ themeId }) => ({ type: 'change', wanted: { theme_id: themeId } }) },
})
