import path from 'node:path'

/** Root of the package; this file runs from dist/bench. */
export const ROOT = path.resolve(import.meta.dirname, '../..')

export const PEERS = path.join(ROOT, 'bench/peers')

/** A compiled program of this folder, or of the same folder of another commit. */
export const programFile = (name: string, root = ROOT): string => path.join(root, 'dist/bench/programs', `${name}.js`)

/** A source of this folder that is no TypeScript and is therefore not in dist. */
export const sourceFile = (name: string): string => path.join(ROOT, 'bench/programs', name)

/** The command line of Millrace, of this or of another commit. */
export const millraceFile = (root = ROOT): string => path.join(root, 'dist/infra/cli/millrace.js')
