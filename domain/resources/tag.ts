import { ask } from '../kernel/decide/ask.ts'
import type { Decider } from '../kernel/decide/decider.ts'
import type { ActInputs } from '../kernel/decide/rules.ts'
import { text } from '../kernel/model/fields.ts'
import type { Policy } from '../kernel/react/policy.ts'
import type { Named } from '../kernel/values/event.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { workspace } from './operations.ts'

/** Colour of a tag that was made without one; the contract does not say, and every response has one. */
const DEFAULT_COLOR = '#94a3b8'

/** What every tag is: a name that is unique among its kind in the workspace, and a colour. */
export const tag = {
  under: workspace,
  attributes: { name: text({ required: true }), color: text({ default: DEFAULT_COLOR, nullable: false }) },
  unique: [{ attributes: ['name'], says: 'Name has already been taken' }],
} as const

interface Tagged<T extends ActInputs & { readonly untag: unknown }> {
  /** Of the policy. */
  readonly name: string
  /** The event with which a tag is removed from the workspace. */
  readonly on: Named
  /** Of the records that carry tags, in their `tag_ids`. */
  readonly aggregate: Decider<T>
  /** What `untag` goes by. */
  wanted(tagId: number): T['untag']
}

/** A tag that is removed from the workspace comes off every record that carries it. */
export const tagsLeave = <T extends ActInputs & { readonly untag: unknown }>(tagged: Tagged<T>): Policy => ({
  name: tagged.name,
  on: [tagged.on],
  react({ stream }) {
    const { aggregate, wanted } = tagged
    const tagId = parseStream(stream).id
    const one = (id: number) => ask(aggregate, id, 'untag', wanted(tagId))
    return [{ each: aggregate.name, where: { tag_ids: tagId }, one }]
  },
})
