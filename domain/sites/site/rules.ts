import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, rules } from '../../kernel/decide/rules.ts'
import { mergeCode } from '../../resources/attributes/code.ts'
import { site } from './model.ts'

/** Makes a theme the default if the workspace has none yet. */
const beginWithTheme = ({ before, wanted: { theme_id } }: ActContext<typeof site>) =>
  before.theme_id === null ? [site.event.ThemeChosen({ theme_id: theme_id ?? null })] : []

/** Decider of the site of a workspace. */
export const sites = decider(site, {
  rules: rules(site, {
    save: [mergeCode('head_code', 'footer_code')],
    acts: { beginWithTheme },
  }),
  formerly: { ChooseTheme: ({ themeId }) => ({ type: 'change', wanted: { theme_id: themeId } }) },
})
