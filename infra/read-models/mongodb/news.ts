import type { Document as Bson, ChangeStreamDocument, Db } from 'mongodb'
import { outageOf } from '../../mongodb/failures.ts'
import { generationOf, pointerTable } from './pointer.ts'

/** What is told of checkpoints as other processes write them. */
export interface News {
  close(): Promise<void>
}

export interface NewsDeps {
  /** Number of the generation that is shown. */
  readonly current: () => number | undefined
  /** Told of a checkpoint of that, or, without one, that another generation may have taken over. */
  readonly heard: (position?: number) => void
  /** Told when there is no more news, unless it was closed. */
  readonly ended: () => void
}

/** The server has no change streams, as one that is no part of a replica set. */
export class NoNews extends Error {}

/** Listens to the checkpoints by a change stream. @throws {NoNews} where the server has none; {Error} when it cannot be reached */
export const openNews = async (db: Db, { current, heard, ended }: NewsDeps): Promise<News> => {
  const stream = pointerTable(db).watch([], { fullDocument: 'default' })
  let isClosed = false
  const tell = (change: ChangeStreamDocument<Bson>) => {
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
      while (!isClosed) tell(await stream.next())
    } catch {
      // It is said below.
    }
    if (isClosed) return
    await close()
    ended()
  }
  try {
    // Not before the first answer is it known that nothing will be missed.
    const first = await stream.tryNext()
    if (first) tell(first)
  } catch (error) {
    await close()
    throw outageOf(error) === undefined ? new NoNews((error as Error).message, { cause: error }) : error
  }
  void follow()
  return { close }
}

const positionIn = (change: ChangeStreamDocument<Bson>): number | undefined => {
  if (change.operationType === 'update') return change.updateDescription.updatedFields?.position
  return 'fullDocument' in change ? change.fullDocument?.position : undefined
}
