import type { Collection } from 'mongodb'
import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { MongoConnection } from './connection.ts'
import { retryUpsert } from './upserting.ts'

interface CheckpointRow {
  readonly _id: string
  readonly position: number
}

/** Returns checkpoints that are documents of one collection. They wait for a server that cannot be reached. */
export const mongoCheckpoints = (connection: MongoConnection, database?: string): Checkpoints => {
  const rows: Collection<CheckpointRow> = connection.db(database).collection('checkpoints')
  return {
    get: (reactor) => connection.retrying(async () => (await rows.findOne({ _id: reactor }))?.position ?? -1),
    all: () =>
      connection.retrying(
        async () => new Map((await rows.find().toArray()).map(({ _id, position }) => [_id, position])),
      ),
    async set(reactor, position) {
      const put = () => rows.updateOne({ _id: reactor }, { $set: { position } }, { upsert: true })
      await connection.retrying(() => retryUpsert(put))
    },
  }
}
