import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new directory, and what takes it away again with all that is in it. */
export function temporaryDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'millrace-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
