import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** The formatter puts the source of an import on one line with its keyword or its closing brace. */
const SPECIFIER = /(?:^(?:import|export|\})[^'\n]*\bfrom |^import |\bimport\()'([^']+)'/gm

/** One import of a source file. Paths are relative to the root of the repository. */
export interface Import {
  readonly from: string
  /** The imported file, or the name of a package or of a module of Node.js. */
  readonly to: string
  readonly isPackage: boolean
  /** Whether the file is loaded with what imports it, rather than later or for its types alone. */
  readonly isLoaded: boolean
}

const sourcesBelow = (folder: string): readonly string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')))

const importsOf = (from: string): readonly Import[] =>
  [...readFileSync(path.join(ROOT, from), 'utf8').matchAll(SPECIFIER)].map(([text, specifier = '']) => {
    const isPackage = !specifier.startsWith('.')
    const to = isPackage ? specifier : path.posix.join(path.posix.dirname(from), specifier)
    return { from, to, isPackage, isLoaded: !/^(import|export) type |^import\(/.test(text) }
  })

/** Names of the folders directly below a folder. */
export const foldersOf = (folder: string): readonly string[] =>
  readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? entry.name : [],
  )

/** The text of every TypeScript file below these folders, by its path. */
export const textsBelow = (folders: readonly string[]): ReadonlyMap<string, string> =>
  new Map(folders.flatMap(sourcesBelow).map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')]))

/** Every import of the TypeScript files below these folders. */
export const importsBelow = (folders: readonly string[]): readonly Import[] =>
  folders.flatMap(sourcesBelow).flatMap(importsOf)
