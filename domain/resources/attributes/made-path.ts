import type { JsonObject } from '../../kernel/values/event.ts'
import type { WriteInput } from '../operation.ts'
import { rooted, slugOf } from './slug.ts'

/** Length of the suffix for a path that another record has already. */
const SUFFIX = 6

/**
 * Fields of a new record, with a path made from its name unless one was sent.
 *
 * @param named the attribute with the name
 * @param former a field with paths that records had before, and keep
 */
export const withPath =
  (collection: string, fallback: string, named = 'name', former?: string) =>
  async ({ fields, owner, read, token }: WriteInput): Promise<JsonObject> => {
    if (typeof fields.current_path === 'string' && fields.current_path.trim() !== '') return fields
    const current_path = rooted(slugOf(String(fields[named]), fallback))
    const holders = await Promise.all(
      ['current_path', ...(former === undefined ? [] : [former])].map((field) =>
        read.find(collection, { where: { workspace_id: Number(owner?.id), [field]: current_path }, limit: 1 }),
      ),
    )
    const isTaken = holders.some(({ length }) => length > 0)
    return { ...fields, current_path: isTaken ? `${current_path}-${token(SUFFIX).toLowerCase()}` : current_path }
  }
