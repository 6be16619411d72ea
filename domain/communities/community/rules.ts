import { decider } from '../../kernel/decide/decider.ts'
import {
  type ActContext,
  type DecisionContext,
  type Reader,
  rules,
  type StreamRecords,
} from '../../kernel/decide/rules.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { rooted, slugOf } from '../../resources/attributes/slug.ts'
import { community, space, spaceGroup } from './model.ts'
import { problemOfUse } from './uses.ts'

const { event } = community

type Placed = { readonly sort_order: number | null }
type Named = { readonly name: string; readonly current_path: string | null }

/** Returns the place that was asked for, or else the one behind all others. */
const place = (wanted: number | null, others: readonly Placed[]): number =>
  wanted ?? others.reduce((most, { sort_order }) => Math.max(most, (sort_order ?? -1) + 1), 0)

/** Returns the path of a group or a space: the one that was sent, or else one made from the name. No two of a community have the same. */
const pathFor = ({ name, current_path }: Named, fallback: string, id: number, records: StreamRecords) => {
  const others = [...records.all(spaceGroup), ...records.all(space)].filter((one) => one.id !== id)
  const taken = new Set(others.map((one) => one.current_path))
  if (current_path !== null) {
    const sent = rooted(current_path)
    return taken.has(sent) ? refuse.invalid('Current path has already been taken', 'current_path', 'taken') : sent
  }
  const own = `/${slugOf(name, fallback)}`
  let free = own
  for (let next = 2; taken.has(free); next++) free = `${own}-${next}`
  return free
}

const placeGroup = ({ id, after, records }: DecisionContext<typeof spaceGroup>) => {
  const current_path = pathFor(after, 'group', id, records)
  if (typeof current_path !== 'string') return current_path
  const others = records.all(spaceGroup).filter((one) => one.id !== id)
  return { current_path, sort_order: place(after.sort_order, others) }
}

const placeSpace = ({ id, after, records }: DecisionContext<typeof space>) => {
  if (!records.one(spaceGroup, after.space_group_id)) return refuse.notFound()
  const current_path = pathFor(after, 'space', id, records)
  if (typeof current_path !== 'string') return current_path
  const others = records.all(space).filter((one) => one.id !== id && one.space_group_id === after.space_group_id)
  return { current_path, sort_order: place(after.sort_order, others) }
}

/** Keeps the path: the request made one from the name where none was sent, and blank changes nothing. */
const keepPath = ({ before, after: { name, current_path } }: DecisionContext<typeof community>) => ({
  current_path: rooted(current_path ?? before?.current_path ?? slugOf(name, 'community')),
})

const removeGroup = ({ id, records }: ActContext<typeof spaceGroup>) => {
  const within = records.all(space).filter(({ space_group_id }) => space_group_id === id)
  return [event.SpaceGroupRemoved({ space_group_id: id, space_ids: within.map((one) => one.id) })]
}

/** Reads what names a group or one of its spaces. Only a removal needs it. */
const loadUsesOfGroup = ({ act, id, workspaceId, records }: DecisionContext<typeof spaceGroup>, read: Reader) => {
  const within = records.all(space).filter(({ space_group_id }) => space_group_id === id)
  return act === 'remove'
    ? problemOfUse({ workspaceId, groupId: id, spaceIds: within.map((one) => one.id) }, read)
    : undefined
}
const loadUsesOfSpace = ({ act, id, workspaceId }: DecisionContext<typeof space>, read: Reader) =>
  act === 'remove' ? problemOfUse({ workspaceId, spaceIds: [id] }, read) : undefined

const keepUsed = (_: unknown, problem: Refusal | undefined) => problem

/** Rules of a community with its groups and their spaces. */
export const communities = decider(community, {
  rules: rules(community, { save: [keepPath] }),
  children: [
    rules(spaceGroup, {
      loadFacts: loadUsesOfGroup,
      save: [placeGroup],
      preventRemoval: keepUsed,
      remove: removeGroup,
    }),
    rules(space, { loadFacts: loadUsesOfSpace, save: [placeSpace], preventRemoval: keepUsed }),
  ],
})
