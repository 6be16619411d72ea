import type { Collection } from 'mongodb'
import type { ImportNote, UnfinishedImport } from '../transfer/import-note.ts'
import type { MongoConnection } from './connection.ts'
import { retryUpsert } from './upserting.ts'

type NoteRow = UnfinishedImport & { readonly _id: 'unfinished' }

/** Longest wait for the server: the note of a failure is not worth more. */
const PATIENCE_MS = 5000

/** Returns the note of an unfinished import, as a document, for installations without a data directory. */
export const mongoImportNote = (connection: MongoConnection, database?: string): ImportNote => {
  const rows: Collection<NoteRow> = connection.db(database).collection('imports')
  const patiently = <T>(operation: () => Promise<T>) => connection.retrying(operation, undefined, PATIENCE_MS)
  return {
    read: () => patiently(async () => (await rows.findOne({}, { projection: { _id: 0 } })) ?? undefined),
    async write(note) {
      await patiently(() => retryUpsert(() => rows.replaceOne({ _id: 'unfinished' }, note, { upsert: true })))
    },
    async remove() {
      await patiently(() => rows.deleteOne({ _id: 'unfinished' }))
    },
  }
}
