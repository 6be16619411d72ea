import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a temporary directory. `remove` removes it with its content. */
export function temporaryDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'millrace-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
