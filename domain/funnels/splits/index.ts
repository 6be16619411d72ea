import { Type } from 'typebox'
import type { FieldTable } from '../../kernel/field.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import type { Owner, Resource, WriteInput, WriteOperation } from '../../kernel/resource.ts'
import { basics } from '../../kinds/former.ts'
import { change, create, list, remove, show } from '../../kinds/operations.ts'
import { structure } from '../../kinds/structure.ts'
import { funnelAggregate } from '../funnel/aggregate.ts'
import type { FunnelCommand } from '../funnel/commands.ts'
import { splitDocuments } from '../funnel/step-documents.ts'
import { conditionalSplitView, splitTestView } from './views.ts'
import { anchorWish, branchWishes, conditionWish, variantWishes } from './wishes.ts'

const underFunnel: Owner = { param: 'funnel_id', resource: 'funnel', field: 'funnel_id' }

const id = Type.Union([Type.Integer(), Type.String()])
const behind = structure(id, 'The step that the split goes behind; absent: at the entry of the funnel')
const variants = structure(
  Type.Array(
    Type.Object({ page_id: Type.Optional(id), weight: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })) }),
  ),
  'One or two on creation, two on a change; together the weights are 100',
)
const branches = structure(
  Type.Array(Type.Object({ page_id: Type.Optional(id), page_ids: Type.Optional(Type.Array(id)) })),
  'Matched first, unmatched second',
)
const condition = structure(
  Type.Object({ filter_id: Type.Optional(Type.String()) }),
  'A stored filter, by its public id',
)

/** Removes a split with one branch or both: a split of one branch does not exist. */
const collapsing = (path: string, names: readonly [string, string]): WriteOperation =>
  remove(path, {
    query: { branch: structure(Type.Enum([...names, 'both']), 'The branch that is dropped; default both') },
    command: (input): FunnelCommand | Refusal => {
      const branch = input.query.branch ?? 'both'
      const drop = branch === 'both' ? 'both' : names.indexOf(String(branch))
      if (drop !== 'both' && drop !== 0 && drop !== 1) {
        return refuse.malformed(`branch must be one of: ${names.join(', ')}, both`, 'branch', 'inclusion')
      }
      return { type: 'CollapseSplit', splitId: input.id, drop, ...basics(input) }
    },
  })

const TESTS = '/funnels/{funnel_id}/split_test_steps'

const insertTest = (input: WriteInput): FunnelCommand | Refusal => {
  const wishes = variantWishes(input)
  if (wishes instanceof Refusal) return wishes
  return { type: 'InsertSplitTest', splitId: input.id, variants: wishes, ...anchorWish(input), ...basics(input) }
}

const changeTest = (input: WriteInput): FunnelCommand | Refusal => {
  const wishes = variantWishes(input)
  if (wishes instanceof Refusal) return wishes
  return { type: 'ChangeSplitTest', splitId: input.id, variants: wishes, ...basics(input) }
}

/** Funnels::SplitTestStep: a page of the funnel tested against another, in the funnel's stream. */
export const splitTestStep: Resource = {
  name: 'funnels/split_test_step',
  tag: 'Funnels::SplitTestStep',
  root: 'split_test_step',
  category: 'funnels',
  under: underFunnel,
  aggregate: funnelAggregate,
  ids: 'funnels/step',
  documents: splitDocuments('split_test_step'),
  view: splitTestView,
  operations: {
    listFunnelSplitTestSteps: list(TESTS, { envelope: 'split_test_steps', paged: 'never' }),
    createFunnelSplitTestStep: create(
      TESTS,
      'split_test_step',
      { variants, show_page_step_id: behind },
      { command: insertTest },
    ),
    getFunnelSplitTestStep: show(`${TESTS}/{id}`),
    updateFunnelSplitTestStep: {
      ...change(`${TESTS}/{id}`, 'split_test_step', { variants }, { command: changeTest }),
      method: 'PATCH',
    },
    destroyFunnelSplitTestStep: collapsing(`${TESTS}/{id}`, ['left', 'right']),
  },
}

const CONDITIONALS = '/funnels/{funnel_id}/conditional_split_steps'
const ROOT = 'conditional_split_step'
const conditionalFields: FieldTable = { condition, branches, show_page_step_id: behind }

const insertConditional = (input: WriteInput): FunnelCommand | Refusal => {
  const wished = conditionWish(input)
  if (wished instanceof Refusal) return wished
  const wishes = branchWishes(input)
  if (wishes instanceof Refusal) return wishes
  const optional = wished && { condition: wished }
  return {
    type: 'InsertConditionalSplit',
    splitId: input.id,
    branches: wishes,
    ...optional,
    ...anchorWish(input),
    ...basics(input),
  }
}

const changeConditional = (input: WriteInput): FunnelCommand | Refusal => {
  const wished = conditionWish(input)
  if (wished instanceof Refusal) return wished
  const wishes = branchWishes(input)
  if (wishes instanceof Refusal) return wishes
  const sent = input.fields.branches !== undefined && input.fields.branches !== null
  return {
    type: 'ChangeConditionalSplit',
    splitId: input.id,
    ...(wished && { condition: wished }),
    ...(sent && { branches: wishes }),
    ...basics(input),
  }
}

/** Funnels::ConditionalSplitStep: who matches a stored filter goes one way, everybody else the other. */
export const conditionalSplitStep: Resource = {
  name: 'funnels/conditional_split_step',
  tag: 'Funnels::ConditionalSplitStep',
  root: ROOT,
  category: 'funnels',
  under: underFunnel,
  aggregate: funnelAggregate,
  ids: 'funnels/step',
  documents: splitDocuments('conditional_split_step'),
  view: conditionalSplitView,
  operations: {
    listFunnelConditionalSplitSteps: list(CONDITIONALS, { envelope: 'conditional_split_steps', paged: 'never' }),
    createFunnelConditionalSplitStep: create(CONDITIONALS, ROOT, conditionalFields, {
      body: { root: ROOT, fields: conditionalFields, mode: 'create', optional: true },
      expanded: ['filter'],
      command: insertConditional,
    }),
    getFunnelConditionalSplitStep: show(`${CONDITIONALS}/{id}`, { expanded: ['filter'] }),
    updateFunnelConditionalSplitStep: {
      ...change(
        `${CONDITIONALS}/{id}`,
        ROOT,
        { condition, branches },
        { command: changeConditional, expanded: ['filter'] },
      ),
      method: 'PATCH',
    },
    destroyFunnelConditionalSplitStep: collapsing(`${CONDITIONALS}/{id}`, ['matched', 'unmatched']),
  },
}
