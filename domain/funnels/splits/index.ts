import { Type } from 'typebox'
import type { FieldTable } from '../../kernel/model/field.ts'
import { asSent } from '../../resources/attributes/as-sent.ts'
import { list, show } from '../../resources/operations.ts'
import type { Owner } from '../../resources/owner.ts'
import { serve } from '../../resources/serve.ts'
import { changes, creates, removes } from '../../resources/writes.ts'
import { conditionalSplit, splitTest } from '../funnel/model.ts'
import { funnels } from '../funnel/rules.ts'
import { TREE_NODE } from '../funnel/tree.ts'
import { MOST_PAGES } from '../funnel/wanted.ts'
import { isOfTestFunnel } from '../in-test.ts'
import { conditionalSplitView, splitTestView } from './views.ts'
import { wantedConditional, wantedDrop, wantedTest } from './wanted.ts'

const underFunnel: Owner = { param: 'funnel_id', resource: 'funnel', field: 'funnel_id' }

const id = Type.Union([Type.Integer(), Type.String()])
const show_page_step_id = asSent(id, 'The step that the split goes behind; absent: at the entry of the funnel')
const variant = { page_id: Type.Optional(id), weight: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })) }
const variants = asSent(
  Type.Array(Type.Object(variant)),
  'One or two on creation, two on a change; together the weights are 100',
)
const branch = { page_id: Type.Optional(id), page_ids: Type.Optional(Type.Array(id, { maxItems: MOST_PAGES })) }
const branches = asSent(Type.Array(Type.Object(branch)), 'Matched first, unmatched second')
const condition = asSent(Type.Object({ filter_id: Type.Optional(Type.String()) }), 'A stored filter, by its public id')

/** Declares the removal of a split with one branch or both. No split has only one branch. */
const collapses = (path: string, names: readonly [string, string]) =>
  removes(path, {
    query: { branch: asSent(Type.Enum([...names, 'both']), 'The branch that is dropped; default both') },
    wanted: wantedDrop(names),
  })

/** What follows from a change of a split. */
const seen = { consequence: 'changes what visitors see', isUnseen: isOfTestFunnel }

const TESTS = '/funnels/{funnel_id}/split_test_steps'
const TEST = `${TESTS}/{id}`

/** Funnels::SplitTestStep: a page of the funnel tested against another. */
export const splitTestResource = serve(splitTest, funnels, {
  title: 'Funnels::SplitTestStep',
  root: 'split_test_step',
  category: 'funnels',
  under: underFunnel,
  ids: TREE_NODE,
  shows: splitTestView,
  operations: {
    listFunnelSplitTestSteps: list(TESTS, { envelope: 'split_test_steps', paged: 'never' }),
    createFunnelSplitTestStep: creates(TESTS, { ...seen, input: { variants, show_page_step_id }, wanted: wantedTest }),
    getFunnelSplitTestStep: show(TEST),
    updateFunnelSplitTestStep: changes(TEST, { ...seen, method: 'PATCH', input: { variants }, wanted: wantedTest }),
    destroyFunnelSplitTestStep: collapses(TEST, ['left', 'right']),
  },
})

const CONDITIONALS = '/funnels/{funnel_id}/conditional_split_steps'
const CONDITIONAL = `${CONDITIONALS}/{id}`
const ROOT = 'conditional_split_step'
const fields: FieldTable = { condition, branches, show_page_step_id }
const expanded = ['filter']

/** Funnels::ConditionalSplitStep: contacts that match a stored filter go one way, all others the other way. */
export const conditionalSplitResource = serve(conditionalSplit, funnels, {
  title: 'Funnels::ConditionalSplitStep',
  root: ROOT,
  category: 'funnels',
  under: underFunnel,
  ids: TREE_NODE,
  shows: conditionalSplitView,
  operations: {
    listFunnelConditionalSplitSteps: list(CONDITIONALS, { envelope: 'conditional_split_steps', paged: 'never' }),
    createFunnelConditionalSplitStep: creates(CONDITIONALS, {
      ...seen,
      body: { root: ROOT, fields, mode: 'create', optional: true },
      expanded,
      wanted: wantedConditional,
    }),
    getFunnelConditionalSplitStep: show(CONDITIONAL, { expanded }),
    updateFunnelConditionalSplitStep: changes(CONDITIONAL, {
      ...seen,
      method: 'PATCH',
      input: { condition, branches },
      expanded,
      wanted: wantedConditional,
    }),
    destroyFunnelConditionalSplitStep: collapses(CONDITIONAL, ['matched', 'unmatched']),
  },
})
