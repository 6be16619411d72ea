import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { claimsFor } from '../../kernel/model/claim.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { rooted, slugOf } from '../../resources/attributes/slug.ts'
import { community, space, spaceGroup } from './model.ts'
import { problemOfUse } from './uses.ts'

const { event } = community

type Placed = { readonly sort_order: number | null }
type Named = { readonly name: string; readonly current_path: string | null }
type Moved = { readonly current_path: string | null; readonly former_paths: readonly string[] }

/** Returns the place that was asked for, or else the one behind all others. */
const place = (wanted: number | null, others: readonly Placed[]): number =>
  wanted ?? others.reduce((most, { sort_order }) => Math.max(most, (sort_order ?? -1) + 1), 0)

/** Returns the former paths of what gets a path: all that it had, but the one that it has now. */
const formerPaths = (before: Moved | undefined, now: string): readonly string[] => {
  const { former_paths = [], current_path = null } = before ?? {}
  const all = current_path === null ? former_paths : [...former_paths, current_path]
  return [...new Set(all)].filter((one) => one !== now)
}

/**
 * Returns the path of a group or a space, and its former ones. The path is the one that was sent, or else one made from the name. No two of a community
 * have, or had, the same.
 */
const pathsFor = (
  { before, after }: { readonly before: Moved | undefined; readonly after: Named },
  fallback: string,
  others: readonly Moved[],
): Moved | Refusal => {
  const taken = new Set(others.flatMap((one) => [one.current_path, ...one.former_paths]))
  const own = after.current_path === null ? `/${slugOf(after.name, fallback)}` : rooted(after.current_path)
  if (after.current_path !== null && taken.has(own))
    return refuse.invalid('Current path has already been taken', 'current_path', 'taken')
  let free = own
  for (let next = 2; taken.has(free); next++) free = `${own}-${next}`
  return { current_path: free, former_paths: formerPaths(before, free) }
}

const placeGroup = (context: DecisionContext<typeof spaceGroup>) => {
  const { id, after, records } = context
  const others = records.all(spaceGroup).filter((one) => one.id !== id)
  const paths = pathsFor(context, 'group', [...others, ...records.all(space)])
  return paths instanceof Refusal ? paths : { ...paths, sort_order: place(after.sort_order, others) }
}

const placeSpace = (context: DecisionContext<typeof space>) => {
  const { id, after, records } = context
  if (!records.one(spaceGroup, after.space_group_id)) return refuse.notFound()
  const others = records.all(space).filter((one) => one.id !== id)
  const paths = pathsFor(context, 'space', [...others, ...records.all(spaceGroup)])
  const beside = others.filter((one) => one.space_group_id === after.space_group_id)
  return paths instanceof Refusal ? paths : { ...paths, sort_order: place(after.sort_order, beside) }
}

/** Keeps the path: the request made one from the name where none was sent, and blank changes nothing. */
const keepPath = ({ before, after: { name, current_path: sent } }: DecisionContext<typeof community>) => {
  const current_path = rooted(sent ?? before?.current_path ?? slugOf(name, 'community'))
  return { current_path, former_paths: formerPaths(before, current_path) }
}

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
  claims: ({ former_paths, workspace_id }) =>
    former_paths.flatMap((current_path) => claimsFor(community, { current_path }, workspace_id)),
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
