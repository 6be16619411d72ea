import type { Index, Where } from '../../domain/kernel/ports/read-models.ts'
import { pointsOf } from './embedded/conditions.ts'

/**
 * Whether the id or a declared index serves these conditions in an order by `sort` (`undefined`: any order will do): an index
 * does when all its fields are bound by equality and its entries come in the wanted order. The same answer as the embedded
 * store's plan gives (test/infra/mongodb-serving-index.spec.ts), for stores that plan by themselves.
 */
export const isServed = (indexes: readonly Index[], where: Where, sort: string | undefined): boolean => {
  if (pointsOf(where.id)) return true
  if ((sort ?? 'id') === 'id' && Object.keys(where).every((field) => field === 'id')) return true
  return indexes.some((index) => {
    if (!index.fields.every((field) => pointsOf(where[field]))) return false
    const byId = index.sort === undefined || pointsOf(where[index.sort])
    return sort === undefined || sort === index.sort || (sort === 'id' && byId)
  })
}
