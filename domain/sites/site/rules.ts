import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { mergeCode } from '../../resources/attributes/code.ts'
import { blog } from '../blog/model.ts'
import { blogRules } from '../blog/rules.ts'
import { notConnected } from '../domain/connected.ts'
import { domain } from '../domain/model.ts'
import { site } from './model.ts'

/** Makes a theme the default if the workspace has none yet. */
const beginWithTheme = ({ before, wanted: { theme_id } }: ActContext<typeof site>) =>
  before.theme_id === null ? [site.event.ThemeChosen({ theme_id: theme_id ?? null })] : []

/** Refuses a blank origin. */
const namedOrigins = ({ after }: DecisionContext<typeof site>) =>
  after.frame_ancestors.includes('')
    ? refuse.invalid("Frame ancestors can't have a blank origin", 'frame_ancestors', 'blank')
    : undefined

/** Refuses a main domain that does not answer. */
const connectedMain = (_: DecisionContext<typeof site>, wanted: RecordOf<typeof domain> | undefined) =>
  wanted && notConnected(wanted, 'main_domain_id')

/** Loads the domain that is wanted as the main one. */
const loadFacts = ({ wanted: { main_domain_id } }: DecisionContext<typeof site>, read: Reader) =>
  read.one(domain, main_domain_id)

/** Decider of the site of a workspace. */
export const sites = decider(site, {
  rules: rules(site, {
    loadFacts,
    save: [namedOrigins, connectedMain, mergeCode('head_code', 'footer_code')],
    acts: { beginWithTheme },
  }),
  children: [rules(blog, blogRules)],
  formerly: { ChooseTheme: ({ themeId }) => ({ type: 'change', wanted: { theme_id: themeId } }) },
})
