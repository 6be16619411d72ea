import type { Json } from '../values/event.ts'
import type { MaybePromise } from '../values/maybe-promise.ts'
import { nextTurn } from '../values/turns.ts'
import type { Query } from './read-models.ts'

/** What a query finds: documents, or records of a model. */
interface Found {
  readonly id: number | string
}

type Find<T> = (query: Query) => MaybePromise<readonly T[]>

/** Query that says how many are read at first. */
type Limited = Query & { readonly limit: number }

/** Number that is read at once behind the first stretch, where that was smaller. */
const STRETCH = 100

/** Returns where a query continues behind what it found, in its order by the id or by a field of what it finds. */
export const placeBehind = (found: Found, by = 'id'): NonNullable<Query['after']> => {
  if (by === 'id') return found.id
  const value: Json | undefined = Reflect.get(found, by)
  return { id: found.id, value: value ?? null }
}

/** Yields what a query finds to its end, in stretches. The first is as long as the limit of the query. Other requests are served between them. */
export async function* inStretches<T extends Found>(find: Find<T>, query: Limited): AsyncGenerator<readonly T[]> {
  for (let next = query; ; await nextTurn()) {
    const found = await find(next)
    const last = found.at(-1)
    if (last === undefined) return
    yield found
    if (found.length < next.limit) return
    next = { ...query, limit: Math.max(query.limit, STRETCH), after: placeBehind(last, query.sort?.by) }
  }
}

/**
 * Returns the first that somebody sees of what is found, and reads on until there are enough. A limit of a query counts what is hidden as well, so wherever
 * conditions of the query cannot say what is seen, this says how many of it are wanted.
 *
 * @param see what is seen of a stretch, in its order
 */
export const readOn = async <T, S>(
  stretches: AsyncIterable<T>,
  enough: number,
  see: (stretch: T) => MaybePromise<readonly S[]>,
): Promise<S[]> => {
  const seen: S[] = []
  if (enough <= 0) return seen
  for await (const stretch of stretches) {
    seen.push(...(await see(stretch)))
    if (seen.length >= enough) break
  }
  return seen.slice(0, enough)
}
