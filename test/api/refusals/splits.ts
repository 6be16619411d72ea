import { type Row, row } from './row.ts'
import type { Scene } from './scene.ts'

const tests = (status: Row['status'], says: string, body: (scene: Scene) => object): Row =>
  row(
    status,
    says,
    'POST',
    ({ funnel }) => `/funnels/${funnel.id}/split_test_steps`,
    (all) => ({ split_test_step: body(all) }),
  )
const changeTest = (status: Row['status'], says: string, variants: (scene: Scene) => object): Row =>
  row(
    status,
    says,
    'PATCH',
    ({ other, test }) => `/funnels/${other.id}/split_test_steps/${test.id}`,
    (all) => ({ split_test_step: { variants: variants(all) } }),
  )
const conditionals = (status: Row['status'], says: string, body: (scene: Scene) => object): Row =>
  row(
    status,
    says,
    'POST',
    ({ funnel }) => `/funnels/${funnel.id}/conditional_split_steps`,
    (all) => ({ conditional_split_step: body(all) }),
  )
const changeConditional = (status: Row['status'], says: string, body: (scene: Scene) => object): Row =>
  row(
    status,
    says,
    'PATCH',
    ({ other, conditional }) => `/funnels/${other.id}/conditional_split_steps/${conditional.id}`,
    (all) => ({ conditional_split_step: body(all) }),
  )
export const splits: readonly Row[] = [
  tests(422, 'split_test_step.variants[0].page_id does not belong to this funnel', ({ free }) => ({
    variants: [{ page_id: free.id }],
  })),
  tests(422, 'split_test_step.variants[1].page_id is already used by another funnel step', ({ one, two }) => ({
    variants: [{ page_id: one.id }, { page_id: two.id }],
  })),
  tests(400, 'split_test_step.variants[1].page_id not found in this workspace', ({ one }) => ({
    variants: [{ page_id: one.id }, { page_id: 999_998 }],
  })),
  tests(
    422,
    'split_test_step.variants[0] has unsupported keys: external_url. Accepted keys: page_id, weight.',
    ({ one }) => ({ variants: [{ page_id: one.id, external_url: 'x' }] }),
  ),
  tests(422, 'split_test_step.variants weights must sum to 100', ({ one, free }) => ({
    variants: [
      { page_id: one.id, weight: 1 },
      { page_id: free.id, weight: 1 },
    ],
  })),
  tests(422, 'split_test_step.show_page_step_id does not belong to this funnel', ({ one }) => ({
    show_page_step_id: 999_998,
    variants: [{ page_id: one.id }],
  })),
  tests(422, 'split_test_step.variants must have 1 or 2 entries', () => ({ variants: [] })),
  changeTest(422, 'split_test_step.variants[1].page_id is already used by another funnel step', ({ one }) => [
    {},
    { page_id: one.id },
  ]),
  changeTest(422, "split_test_step.variants[0].page_id can't be blank", () => [{ page_id: null }, {}]),
  changeTest(422, 'split_test_step.variants must have 2 entries', () => [{}]),
  row(
    400,
    'branch must be one of: left, right, both',
    'DELETE',
    ({ other, test }) => `/funnels/${other.id}/split_test_steps/${test.id}?branch=middle`,
  ),

  conditionals(422, 'condition.filter_id must be a stable identifier, not a raw numeric id', ({ filter: { id } }) => ({
    condition: { filter_id: id },
  })),
  conditionals(422, 'condition.filter_id must be a stable identifier, not a raw numeric id', ({ filter: { id } }) => ({
    condition: { filter_id: String(id) },
  })),
  conditionals(422, 'condition.filter_id not found in this workspace', ({ one }) => ({
    condition: { filter_id: one.public_id },
  })),
  conditionals(400, 'conditional_split_step.branches[0].page_id not found in this workspace', () => ({
    branches: [{ page_id: 999_998 }],
  })),
  conditionals(422, 'conditional_split_step.branches[1].page_id is already used by another funnel step', ({ one }) => ({
    branches: [{}, { page_id: one.id }],
  })),
  conditionals(422, 'conditional_split_step.branches[1].page_ids has more than 100 items', () => ({
    branches: [{}, { page_ids: Array.from({ length: 101 }, () => 999_998) }],
  })),
  conditionals(
    400,
    'conditional_split_step.branches[0] must provide either page_id or page_ids, not both',
    ({ free, freeFar }) => ({ branches: [{ page_id: free.id, page_ids: [freeFar.id] }] }),
  ),
  conditionals(
    422,
    'conditional_split_step.branches[0] has unsupported keys: external_url. Accepted keys: page_id, page_ids.',
    () => ({ branches: [{ external_url: 'https://example.com/' }] }),
  ),
  conditionals(422, 'conditional_split_step.show_page_step_id does not belong to this funnel', () => ({
    show_page_step_id: 999_998,
  })),
  changeConditional(
    422,
    'conditional_split_step.branches[0].page_id is already used by another funnel step',
    ({ one }) => ({ branches: [{ page_id: one.id }, {}] }),
  ),
  changeConditional(422, 'conditional_split_step.branches must have 2 entries', () => ({ branches: [{}] })),
  row(
    400,
    'branch must be one of: matched, unmatched, both',
    'DELETE',
    ({ other, conditional }) => `/funnels/${other.id}/conditional_split_steps/${conditional.id}?branch=left`,
  ),
]
