import { connect } from '../../sqlite/binding.ts'
import { numberIn } from '../../sqlite/open.ts'
import { answer } from '../../sqlite/thread.ts'
import type { Batch, WriteOutcome } from './batch.ts'
import { BatchWriter } from './batch-writer.ts'
import { WRITER_PRAGMAS } from './layout.ts'

/**
 * What the thread of a log is asked: to carry out a batch, or to move what is committed from the write-ahead log into the file; with `truncate`
 * it also gives back the room of the write-ahead log.
 */
export type LogQuestion = { readonly batch: Batch } | 'checkpoint' | 'truncate'

/** Outcomes of a batch, or how many pages the write-ahead log has. */
export type LogAnswer = readonly WriteOutcome[] | number

answer<{ readonly path: string }, LogQuestion>(({ path }) => {
  const db = connect(path)
  db.exec(WRITER_PRAGMAS)
  const writer = new BatchWriter(db)
  const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  checkpoint.setReturnArrays(true)
  return {
    answer: (question) => {
      if (typeof question === 'object') return writer.carryOut(question.batch)
      if (question === 'truncate') return numberIn(db, 'wal_checkpoint(TRUNCATE)')
      const [, pages] = checkpoint.get() as [busy: number, pages: number, moved: number]
      return pages
    },
    close: () => db.close(),
  }
})
