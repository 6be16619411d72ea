import { connect } from '../sqlite/binding.ts'
import { Statements } from '../sqlite/statements.ts'
import { answer } from '../sqlite/thread.ts'
import type { Batch } from './batch.ts'
import { BatchWriter, type CarriedOut } from './batch-writer.ts'
import { PATIENCE, WRITER_PRAGMAS } from './layout.ts'

/**
 * What the thread of a log is asked: to carry out a batch, or to move what is committed from the write-ahead log into the file; TRUNCATE
 * also gives back the room of the write-ahead log.
 */
export type LogQuestion = { readonly batch: Batch } | { readonly checkpoint: 'PASSIVE' | 'TRUNCATE' }

/** What became of a batch, or how many pages the write-ahead log has. */
export type LogAnswer = CarriedOut | number

answer<{ readonly path: string }, LogQuestion>(({ path }) => {
  const db = connect(path)
  db.exec(WRITER_PRAGMAS)
  db.exec(PATIENCE)
  const writer = new BatchWriter(db)
  const statements = new Statements(db)
  return {
    answer: (question) => {
      if ('batch' in question) return writer.carryOut(question.batch)
      const checkpoint = statements.of(`PRAGMA wal_checkpoint(${question.checkpoint})`)
      const [, pages]: [busy: number, pages: number, moved: number] = checkpoint.get()
      return pages
    },
    close: () => db.close(),
  }
})
