import { decider } from '../../kernel/decide/decider.ts'
import { type DecisionContext, rules } from '../../kernel/decide/rules.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { mergeCode } from '../../resources/attributes/code.ts'
import { SPELLED_OTHERWISE } from '../../resources/attributes/path-key.ts'
import { isReservedPath, notConnected, RESERVED } from '../../sites/public.ts'
import { setCheckout } from './checkout-settings.ts'
import { conditionalSplitRules } from './conditional-split.ts'
import { type FunnelFacts, loadFacts } from './facts.ts'
import { FORMER_COMMANDS } from './former-commands.ts'
import { funnel } from './model.ts'
import { arrangePage, detachFromPage, placePage, removePage, stepRules } from './page-steps.ts'
import { splitTestRules } from './split-test.ts'
import { pageNodes } from './tree.ts'

/** Context of a decision. `suffix` makes a path from the name differ from that of another funnel. */
type Funnel = DecisionContext<typeof funnel, { readonly suffix: string }>

const ownPath = ({ before, wanted, after }: Funnel, { pathTaken }: FunnelFacts) =>
  before || !pathTaken || wanted.suffix === undefined
    ? undefined
    : { current_path: `${after.current_path}-${wanted.suffix}` }

/** Refuses a path that differs from that of another funnel in its spelling alone. One from the name gets a suffix instead. */
const spelledOnce = ({ before, wanted }: Funnel, { pathSpelledOtherwise }: FunnelFacts) =>
  !before && pathSpelledOtherwise && wanted.suffix === undefined
    ? refuse.invalid(`Current path ${SPELLED_OTHERWISE}`, 'current_path', 'taken')
    : undefined

/** Keeps the paths of the service free. */
const freePath = ({ before, wanted }: Funnel) =>
  !before && isReservedPath(wanted.current_path) ? refuse.invalid(RESERVED, 'current_path', 'reserved') : undefined

/** Refuses a domain at which nobody would find the funnel. */
const onConnected = (_: Funnel, { domain }: FunnelFacts) => domain && notConnected(domain, 'domain_id')

const eachTagOnce = ({ before, after }: Funnel) => (before ? undefined : { tag_ids: [...new Set(after.tag_ids)] })

/** The rules of a funnel with its steps and splits (spec 2.4, 4.2). */
export const funnels = decider(funnel, {
  rules: rules(funnel, {
    loadFacts: loadFacts,
    save: [freePath, spelledOnce, onConnected, mergeCode('head_code', 'footer_code'), ownPath, eachTagOnce],
    acts: { placePage, arrangePage, removePage, detachProducts: detachFromPage, setCheckout },
  }),
  children: [stepRules, splitTestRules, conditionalSplitRules],
  formerly: FORMER_COMMANDS,
  // At most one step of all funnels shows a page.
  claims: ({ tree }) =>
    pageNodes(tree).map(({ page_id }) => ({
      scope: 'page.step',
      value: String(page_id),
      field: 'page_id',
      says: 'page_id is already used by another funnel step',
    })),
})
