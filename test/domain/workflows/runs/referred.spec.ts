import { expect } from 'chai'
import { boundTo } from '../../../../domain/kernel/decide/bound-reader.ts'
import { readerOver } from '../../../../domain/kernel/decide/rules.ts'
import type { Document, Query } from '../../../../domain/kernel/ports/read-models.ts'
import { referredBy } from '../../../../domain/workflows/run/referred.ts'
import { STEP_TYPE_NAMES, stepTypeOf } from '../../../../domain/workflows/steps/index.ts'

const [TEAM, WORKSPACE, OTHER] = [1, 10, 11]
const [THERE, GONE, FOREIGN] = [5, 6, 7]

/** One record of each kind that is there, and one of another workspace. */
const recordOf = (kind: string, id: number | string): Document | undefined => {
  if (kind === 'workspace') return { id, team_id: TEAM }
  if (id === THERE) return { id, team_id: TEAM, workspace_id: WORKSPACE }
  return id === FOREIGN ? { id, team_id: TEAM, workspace_id: OTHER } : undefined
}

const documents = boundTo(
  {
    get: recordOf,
    getMany: (kind: string, ids: readonly (number | string)[]) => ids.map((id) => recordOf(kind, id)),
    find: (_: string, { where: { team_id, user_id } }: Query) => {
      const { $in: users = [] } = user_id as { readonly $in?: readonly number[] }
      return team_id === TEAM && users.includes(THERE) ? [{ id: 50, team_id: TEAM, user_id: THERE }] : []
    },
  },
  { teamId: TEAM, workspaceId: WORKSPACE },
)

const needing = STEP_TYPE_NAMES.flatMap((type) =>
  Object.entries(stepTypeOf(type).refers).flatMap(([setting, { to, gone }]) =>
    gone === undefined ? [] : [{ type, setting, to, gone }],
  ),
)

describe('what a step refers to and cannot do without', () => {
  const refer = (type: (typeof needing)[number]['type'], setting: string, ids: readonly number[]) =>
    referredBy(
      { type, settings: { [setting]: setting.endsWith('_ids') ? ids : (ids[0] ?? null) } },
      WORKSPACE,
      readerOver(documents),
    )

  it('is declared by some types', () => {
    expect(needing.map(({ setting }) => setting)).to.include.members(['contacts_tag_ids', 'user_ids'])
  })

  for (const { type, setting, to, gone } of needing)
    it(`is there, or else ${type} fails because ${gone}`, async () => {
      for (const ids of [[GONE], [FOREIGN], []]) expect(await refer(type, setting, ids)).to.deep.equal({ gone })
      const referred = await refer(type, setting, [THERE, GONE])
      const found = 'gone' in referred ? [] : referred(setting)
      expect(found.map(({ id, user_id }) => (to === 'user' ? user_id : id))).to.deep.equal([THERE])
    })
})
