import { LRUCache } from 'lru-cache'
import { funnel, showPageStep } from '../../domain/funnels/funnel/model.ts'
import type { WatchedReadModels } from '../../domain/kernel/ports/read-models.ts'
import { page } from '../../domain/pages/page/model.ts'
import { gatewayAccount } from '../../domain/payments/public.ts'
import { price, product, variant } from '../../domain/store/public.ts'

const MOST = 10_000
/** Collections on which a page and its address depend. They change far less often than pages are visited. */
const SOURCES: readonly string[] = [page.name, funnel.name, showPageStep.name, 'domain', 'site', 'theme']

/** Collections on which what a page sells depends besides. */
export const SOURCES_OF_CATALOGUES: readonly string[] = [gatewayAccount.name, product.name, variant.name, price.name]

/** Returns the value of a key, or makes it. */
export type Cached<T> = (key: string, make: () => Promise<T>) => Promise<T> | T

/**
 * Creates a cache for pages that is cleared when any page, funnel or domain changes.
 *
 * @param watched the read models, when they report their changes; without them nothing is cached
 * @param others further collections whose changes clear it
 * @param most highest number of values
 */
export const pageCache = <T extends object>(
  watched: WatchedReadModels | undefined,
  others: readonly string[] = [],
  most = MOST,
): Cached<T> => {
  if (!watched) return (_, make) => make()
  const sources = new Set([...SOURCES, ...others])
  const known = new LRUCache<string, T>({ max: most })
  let changes = 0
  watched.watch((changed) => {
    if (changed && !changed.some(({ collection }) => sources.has(collection))) return
    changes += 1
    known.clear()
  })
  return (key, make) => {
    const value = known.get(key)
    if (value) return value
    const begun = changes
    return make().then((made) => {
      // What was read before a change may be outdated.
      if (begun === changes) known.set(key, made)
      return made
    })
  }
}
