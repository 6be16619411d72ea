import { parseStream } from '../kernel/decider.ts'
import type { Decider } from '../kernel/deciding.ts'
import type { JsonObject } from '../kernel/event.ts'
import { text } from '../kernel/fields.ts'
import type { Policy } from '../kernel/policy.ts'
import { workerActor } from '../kernel/transaction.ts'
import { workspace } from './operations.ts'

/** Colour of a tag that was made without one; the contract does not say, and every response has one. */
const DEFAULT_COLOR = '#94a3b8'

/** What every tag is: a name that is unique among its kind in the workspace, and a colour. */
export const tag = {
  under: workspace,
  attributes: { name: text({ required: true }), color: text({ default: DEFAULT_COLOR, nullable: false }) },
  unique: [{ attributes: ['name'], says: 'Name has already been taken' }],
} as const

interface Tagged {
  /** Of the policy. */
  readonly name: string
  /** The event with which a tag is removed from the workspace. */
  readonly on: string
  /** Of the records that carry tags, in their `tag_ids`, and know the act `untag`. */
  readonly aggregate: Decider
  /** What `untag` goes by. */
  wanted(tagId: number): JsonObject
}

/** A tag that is removed from the workspace comes off every record that carries it. */
export const tagsLeave = ({ name, on, aggregate, wanted }: Tagged): Policy => ({
  name,
  on: [on],
  react({ stream, metadata: { at } }) {
    const tagId = parseStream(stream).id
    const actor = workerActor('policies')
    const command = (id: number) => ({ type: 'untag', id, wanted: wanted(tagId), at, actor })
    return [
      {
        each: aggregate.name,
        where: { tag_ids: tagId },
        one: (id) => ({ aggregate, id, command: () => command(id) }),
      },
    ]
  },
})
