import { ask } from '../kernel/decide/ask.ts'
import { type Decider, decider } from '../kernel/decide/decider.ts'
import { type ActInputs, rules } from '../kernel/decide/rules.ts'
import type { Field } from '../kernel/model/field.ts'
import { text } from '../kernel/model/fields.ts'
import { type DeclaredModel, model } from '../kernel/model/model.ts'
import type { Policy } from '../kernel/react/policy.ts'
import type { HasEventType } from '../kernel/values/event.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { NAME_INDEX, nameKey, nameTakenIn, refuseTakenName, UNIQUE_NAME } from './attributes/unique-name.ts'
import { type ListOptions, list, show, workspace } from './operations.ts'
import type { PlainRecord } from './record.ts'
import type { Resource } from './resource.ts'
import { serve } from './serve.ts'
import { changes, creates, removes } from './writes.ts'

/** Colour of a tag that was created without one. The contract names no default, but every response has a colour. */
const DEFAULT_COLOR = '#94a3b8'

interface TagSpec<Created extends string, Changed extends string, Removed extends string>
  extends Pick<Resource, 'title' | 'root' | 'category'> {
  readonly events: readonly [created: Created, changed: Changed, removed: Removed]
  readonly paths: readonly [all: string, one: string]
  /** Operation ids. */
  readonly operations: readonly [list: string, create: string, show: string, change: string, remove: string]
  readonly filters?: ListOptions['filters']
}

type TagModel<
  Name extends string,
  Created extends string,
  Changed extends string,
  Removed extends string,
> = DeclaredModel<
  Name,
  { readonly name: Field<string>; readonly color: Field<string> },
  { readonly [type in Created]: { readonly creates: true } } & {
    readonly [type in Changed]: { readonly changes: 'rest' }
  } & { readonly [type in Removed]: { readonly ends: true } },
  Name,
  never,
  Record<never, never>,
  never
>

/** Builds a resource of tags. A tag has a colour and a name that is unique among the tags of the resource in a workspace, without regard to case. */
export const tag = <
  const Name extends string,
  const Created extends string,
  const Changed extends string,
  const Removed extends string,
>(
  name: Name,
  { title, root, category, events, paths, operations, filters }: TagSpec<Created, Changed, Removed>,
): PlainRecord<TagModel<Name, Created, Changed, Removed>> => {
  const [created, changed, removed] = events
  const [all, one] = paths
  const [listing, creation, showing, change, removal] = operations
  const built = model(name, {
    attributes: { name: text({ required: true }), color: text({ default: DEFAULT_COLOR, nullable: false }) },
    events: { [created]: { creates: true }, [changed]: { changes: 'rest' }, [removed]: { ends: true } },
    unique: [UNIQUE_NAME],
    derives: { version: 1, of: nameKey },
  })
  const aggregate = decider(built, {
    rules: rules(built, { loadFacts: nameTakenIn(built), save: [refuseTakenName] }),
  })
  const untyped: Decider = aggregate
  const resource = serve(built, untyped, {
    ...{ title, root, category, under: workspace },
    indexes: [NAME_INDEX],
    operations: {
      [listing]: list(all, { ...(filters && { filters }) }),
      [creation]: creates(all),
      [showing]: show(one),
      [change]: changes(one),
      [removal]: removes(one),
    },
  })
  const plain: PlainRecord = { ...resource, aggregate, model: built }
  // The events have the given names.
  return plain as PlainRecord<TagModel<Name, Created, Changed, Removed>>
}

interface Tagged<T extends ActInputs & { readonly untag: unknown }> {
  /** Name of the policy. */
  readonly name: string
  /** Event that removes a tag from the workspace. */
  readonly on: HasEventType
  /** Decider of the records that have tags, with their ids in `tag_ids`. */
  readonly aggregate: Decider<T>
  /** Returns the input of `untag`. */
  wanted(tagId: number): T['untag']
}

/** Builds the policy that takes a tag off every record when the tag is removed from the workspace. */
export const untagOnRemoval = <T extends ActInputs & { readonly untag: unknown }>(tagged: Tagged<T>): Policy => ({
  name: tagged.name,
  on: [tagged.on],
  react({ stream }) {
    const { aggregate, wanted } = tagged
    const tagId = parseStream(stream).id
    const one = (id: number) => ask(aggregate, id, 'untag', wanted(tagId))
    return [{ each: aggregate.name, where: { tag_ids: tagId }, one }]
  },
})
