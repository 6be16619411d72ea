import type { Collection } from 'mongodb'
import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { MongoConnection } from './connection.ts'
import { upserting } from './upserting.ts'

interface Held {
  readonly _id: string
  readonly position: number
}

/** Checkpoints as documents of one collection; waits for a server that cannot be reached. */
export const mongoCheckpoints = (connection: MongoConnection, database?: string): Checkpoints => {
  const held: Collection<Held> = connection.db(database).collection('checkpoints')
  return {
    get: (reactor) => connection.retrying(async () => (await held.findOne({ _id: reactor }))?.position ?? -1),
    all: () =>
      connection.retrying(
        async () => new Map((await held.find().toArray()).map(({ _id, position }) => [_id, position])),
      ),
    async set(reactor, position) {
      const put = () => held.updateOne({ _id: reactor }, { $set: { position } }, { upsert: true })
      await connection.retrying(() => upserting(put))
    },
  }
}
