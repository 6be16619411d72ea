import type { Collection } from 'mongodb'
import type { ShortTermKey, ShortTermRecord, ShortTermStore } from '../../domain/kernel/ports/short-term-store.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import type { MongoConnection } from './connection.ts'
import { isDuplicate } from './failures.ts'
import { retryUpsert } from './upserting.ts'

interface Row {
  readonly _id: string
  readonly kind: string
  readonly alias?: string
  readonly group?: string
  /** Milliseconds since 1970. */
  readonly until: number | null
  /** As text, since keys of data may be any. */
  readonly data: string
}

const idOf = ({ kind, key }: ShortTermKey): string => `${kind} ${key}`

const rowOf = (where: ShortTermKey, { data, until, group, alias }: ShortTermRecord): Row => ({
  _id: idOf(where),
  kind: where.kind,
  ...(alias !== undefined && { alias }),
  ...(group !== undefined && { group }),
  until,
  data: JSON.stringify(data),
})

const isThere = (now: number) => ({ $or: [{ until: null }, { until: { $gt: now } }] })

const opened = (row: Row | null): JsonObject | undefined => (row ? (JSON.parse(row.data) as JsonObject) : undefined)

/** Opens the short-term store on a server. It waits for a server that cannot be reached. */
export const openMongoShortTermStore = async (
  connection: MongoConnection,
  database?: string,
): Promise<ShortTermStore> => {
  const rows: Collection<Row> = connection.db(database).collection('short_term')
  await connection.retrying(async () => {
    await rows.createIndex({ kind: 1, alias: 1 }, { sparse: true })
    await rows.createIndex({ group: 1 }, { sparse: true })
    await rows.createIndex({ until: 1 })
  })
  return {
    async put(where, record) {
      const { _id, ...row } = rowOf(where, record)
      await connection.retrying(() => retryUpsert(() => rows.replaceOne({ _id }, row, { upsert: true })))
    },
    async putNew(where, record, now) {
      const row = rowOf(where, record)
      await connection.retrying(() => rows.deleteOne({ _id: row._id, until: { $lte: now } }))
      try {
        await connection.retrying(() => rows.insertOne(row))
        return undefined
      } catch (error) {
        if (!isDuplicate(error)) throw error
        return opened(await connection.retrying(() => rows.findOne({ _id: row._id, ...isThere(now) })))
      }
    },
    get: async (where, now) =>
      opened(await connection.retrying(() => rows.findOne({ _id: idOf(where), ...isThere(now) }))),
    getByAlias: async ({ kind, key }, now) =>
      opened(await connection.retrying(() => rows.findOne({ kind, alias: key, ...isThere(now) }))),
    // Read, and then deleted by one: not every server finds and deletes in one step. When the answer is lost nobody gets it.
    async take(where, now) {
      const _id = idOf(where)
      const found = await connection.retrying(() => rows.findOne({ _id, ...isThere(now) }))
      if (!found) return undefined
      const { deletedCount } = await connection.retrying(() => rows.deleteOne({ _id, data: found.data }))
      return deletedCount === 1 ? opened(found) : undefined
    },
    removeGroup: (group) => connection.retrying(async () => (await rows.deleteMany({ group })).deletedCount),
    async sweep(now, most) {
      return connection.retrying(async () => {
        const expired = await rows
          .find({ until: { $lte: now } }, { projection: { _id: 1 } })
          .limit(most)
          .toArray()
        if (expired.length === 0) return 0
        return (await rows.deleteMany({ _id: { $in: expired.map(({ _id }) => _id) } })).deletedCount
      })
    },
  }
}
