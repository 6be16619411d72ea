#!/usr/bin/env -S node --max-semi-space-size=32
import { outliveReaders, ReaderGone } from './output.ts'
import { createProgram } from './program.ts'

outliveReaders()

try {
  await createProgram().parseAsync()
} catch (error) {
  if (error instanceof ReaderGone) process.exit(0)
  process.stderr.write(`millrace: ${error instanceof Error ? error.message : String(error)}\n`)
  // Exits after standard output is flushed, so that the reader of a pipe loses nothing.
  process.stdout.write('', () => process.exit(1))
}
