import { existsSync } from 'node:fs'
import path from 'node:path'

/** Root of the package. This file runs from dist/bench. */
export const ROOT = path.resolve(import.meta.dirname, '../..')

export const PEERS = path.join(ROOT, 'bench/peers')

/** Path of a compiled benchmark program, of this or of another commit. */
export const programFile = (name: string, root = ROOT): string => path.join(root, 'dist/bench/programs', `${name}.js`)

/** Path of a source in this folder that is not TypeScript, so that dist does not contain it. */
export const sourceFile = (name: string): string => path.join(ROOT, 'bench/programs', name)

/** Path of Millrace's command line, of this or of another commit, which may be from before there was a bundle. */
export const millraceFile = (root = ROOT): string => {
  const bundled = path.join(root, 'dist/program/millrace.js')
  return existsSync(bundled) ? bundled : path.join(root, 'dist/infra/cli/millrace.js')
}
