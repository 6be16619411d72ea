import path from 'node:path'

/** Root of the package; this file runs from dist/bench. */
export const ROOT = path.resolve(import.meta.dirname, '../..')

export const PEERS = path.join(ROOT, 'bench/peers')

/** A compiled program of this folder. */
export const programFile = (name: string): string => path.join(import.meta.dirname, 'programs', `${name}.js`)

export const MILLRACE = path.join(ROOT, 'dist/infra/cli/millrace.js')
