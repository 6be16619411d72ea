import type { Document as Bson, ChangeStreamDocument, Db } from 'mongodb'
import { outageOf } from '../../mongodb/failures.ts'
import { generationOf, pointerTable } from './pointer.ts'

/** Subscription to the checkpoints that other processes write. */
export interface CheckpointSubscription {
  close(): Promise<void>
}

export interface NewsDeps {
  /** Returns the number of the generation that is shown. */
  readonly current: () => number | undefined
  /** Called with a checkpoint of that generation; without one, when another generation may have taken over. */
  readonly heard: (position?: number) => void
  /** Called when the subscription ends without being closed. */
  readonly ended: () => void
}

/** Error for a server without change streams, such as one outside of a replica set. */
export class ChangeStreamsUnsupported extends Error {}

/** Subscribes to the checkpoints with a change stream. @throws {ChangeStreamsUnsupported} where the server has none; {Error} when it cannot be reached */
export const openNews = async (db: Db, { current, heard, ended }: NewsDeps): Promise<CheckpointSubscription> => {
  const stream = pointerTable(db).watch([], { fullDocument: 'default' })
  let isClosed = false
  const report = (change: ChangeStreamDocument<Bson>) => {
    if (!('documentKey' in change)) return
    const generation = generationOf(String(change.documentKey._id))
    const position = positionIn(change)
    if (generation === undefined) heard()
    else if (generation === current() && position !== undefined) heard(position)
  }
  const close = async () => {
    isClosed = true
    await stream.close().catch(() => undefined)
  }
  const follow = async () => {
    try {
      while (!isClosed) report(await stream.next())
    } catch {
      // `ended` reports it below.
    }
    if (isClosed) return
    await close()
    ended()
  }
  try {
    // Only after the first answer is it certain that no change will be missed.
    const first = await stream.tryNext()
    if (first) report(first)
  } catch (error) {
    await close()
    throw outageOf(error) === undefined
      ? new ChangeStreamsUnsupported((error as Error).message, { cause: error })
      : error
  }
  void follow()
  return { close }
}

const positionIn = (change: ChangeStreamDocument<Bson>): number | undefined => {
  if (change.operationType === 'update') return change.updateDescription.updatedFields?.position
  return 'fullDocument' in change ? change.fullDocument?.position : undefined
}
