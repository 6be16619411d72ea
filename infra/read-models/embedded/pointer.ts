import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { replaceFile } from './durable-files.ts'

/** Which generation of a directory is live, and what it was built from. */
export interface Pointer {
  readonly generation: string
  readonly fingerprint: string
}

const FILE = 'live.json'
const FORMAT = 'millrace read models 1'
const GENERATION = /^generation-(\d+)$/

/**
 * The pointer of a directory, which is made where it is missing; `undefined` when no generation was ever live.
 * @throws {Error} when the file holds something else.
 */
export async function readPointer(directory: string): Promise<Pointer | undefined> {
  await mkdir(directory, { recursive: true })
  const file = path.join(directory, FILE)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  return parse(text) ?? refuse(directory, `${file} does not name a generation of read models`)
}

export async function writePointer(directory: string, pointer: Pointer): Promise<void> {
  await replaceFile(path.join(directory, FILE), JSON.stringify({ format: FORMAT, ...pointer }))
}

/** @throws {Error} always: why the read models of a directory cannot be used, and what to do. */
export function refuse(directory: string, reason: string): never {
  throw new Error(`${reason}. Remove ${directory} to have the read models built again from the log.`)
}

export function generationName(number: number): string {
  return `generation-${number}`
}

/** The number in the name of a generation, or `undefined` for any other name. */
export function generationNumber(name: string): number | undefined {
  const number = GENERATION.exec(name)?.[1]
  return number === undefined ? undefined : Number(number)
}

function parse(text: string): Pointer | undefined {
  try {
    const { format, generation, fingerprint } = JSON.parse(text)
    const valid = format === FORMAT && GENERATION.test(generation) && typeof fingerprint === 'string'
    return valid ? { generation, fingerprint } : undefined
  } catch {
    return undefined
  }
}
