import { decider } from '../../kernel/deciding.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Asked, type AskedOf, type Reader, rules } from '../../kernel/rules.ts'
import { mergeCode } from '../../kinds/code.ts'
import { site } from './model.ts'

/** Whether the page that is to become the homepage is there, in the same workspace. */
const needs = async ({ wanted: { homepage_id }, workspaceId }: Asked<typeof site>, { documents }: Reader) =>
  typeof homepage_id === 'number' && (await documents.get('page', homepage_id))?.workspace_id === workspaceId

const findHomepage = ({ wanted }: Asked<typeof site>, isThere: boolean) =>
  typeof wanted.homepage_id === 'number' && !isThere
    ? refuse.invalid('Homepage must exist', 'homepage_id', 'not_found')
    : undefined

/** The first theme of a workspace is its default. */
const beginWithTheme = ({ before, wanted: { theme_id } }: AskedOf<typeof site>) =>
  before.theme_id === null ? [{ type: 'ThemeChosen', data: { theme_id } }] : []

const forgetPage = ({ before, wanted }: AskedOf<typeof site, { readonly page_id: number }>) =>
  before.homepage_id === wanted.page_id ? [{ type: 'HomepageChosen', data: { homepage_id: null } }] : []

/** The rules of a workspace's site. */
export const sites = decider(site, {
  rules: rules({
    needs,
    save: [mergeCode('head_code', 'footer_code'), findHomepage],
    acts: { beginWithTheme, forgetPage },
  }),
  formerly: { ChooseTheme: ({ themeId }) => ({ type: 'change', wanted: { theme_id: themeId } }) },
})
