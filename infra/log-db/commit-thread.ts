import { connect } from '../sqlite/binding.ts'
import { Statements } from '../sqlite/statements.ts'
import { answer } from '../sqlite/thread.ts'
import type { Batch } from './batch.ts'
import { type BatchResult, BatchWriter } from './batch-writer.ts'
import { BUSY_TIMEOUT_PRAGMA, WRITER_PRAGMAS } from './layout.ts'

/**
 * Task for the thread of a log: to carry out a batch, or to move committed pages from the write-ahead log into the file. TRUNCATE also frees the
 * space of the write-ahead log.
 */
export type LogQuestion = { readonly batch: Batch } | { readonly checkpoint: 'PASSIVE' | 'TRUNCATE' }

/** Outcome of a batch, or the number of pages in the write-ahead log. */
export type LogAnswer = BatchResult | number

answer<{ readonly path: string }, LogQuestion>(({ path }) => {
  const db = connect(path)
  db.exec(WRITER_PRAGMAS)
  db.exec(BUSY_TIMEOUT_PRAGMA)
  // Most pages that it needs are those that it wrote last.
  db.exec('PRAGMA cache_size = -4000')
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
