import { beginningOf } from '../kernel/values/characters.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { freePath, type MakeValue } from '../resources/attributes/made-path.ts'

/** Words below the path of a blog that are addresses of its own. */
const ROUTES: ReadonlySet<string> = new Set(['author', 'category', 'feed', 'page', 'sitemap.xml', 'tag'])
const MOST_CHARACTERS = 100

/** Returns the part of a path that a name gives: letters, marks and digits of any script, in lower case. Empty when nothing is left. */
export const slugIn = (name: string): string => {
  const words = name
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  return beginningOf(words.replace(/^-+/, ''), MOST_CHARACTERS).replace(/-+$/, '')
}

/**
 * Builds the function that makes the path of a new record of a blog: one that no other record has, and that is no address of the blog itself.
 *
 * @param collection name of the records
 * @param below path below that of the blog
 * @param named returns the text that the path is made from
 */
export const blogPathFrom =
  (collection: string, below: string, named: (fields: JsonObject) => string): MakeValue =>
  (input) => {
    const { id, fields, owner, read } = input
    const slug = slugIn(named(fields)) || `${collection.slice(collection.lastIndexOf('/') + 1)}-${id}`
    const own = `${owner?.current_path}${below}/${slug}`
    const where = { workspace_id: Number(owner?.workspace_id), current_path: own }
    return freePath(
      own,
      input,
      async () => ROUTES.has(slug) || (await read.find(collection, { where, limit: 1 })).length > 0,
    )
  }
