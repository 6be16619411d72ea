import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** Every encoding in which a value could be on disk. */
const spellings = (value: string): readonly Buffer[] =>
  [value, value.toLowerCase(), JSON.stringify(value).slice(1, -1), encodeURIComponent(value)].flatMap((text) => {
    const bytes = Buffer.from(text, 'utf8')
    const shifted = [0, 1, 2].map((skip) => Buffer.from(bytes.subarray(skip).toString('base64').slice(0, -4)))
    return [bytes, Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16(), ...shifted]
  })

/** Returns all files below a directory. */
export const filesBelow = async (directory: string): Promise<readonly string[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}

/** Finds these values in every file, page or gap of the directory. */
export const tracesOf = async (directory: string, values: readonly string[]): Promise<readonly string[]> => {
  const traces: string[] = []
  for (const file of await filesBelow(directory)) {
    const content = await readFile(file)
    for (const value of values)
      if (spellings(value).some((spelling) => content.includes(spelling))) traces.push(`${value} in ${file}`)
  }
  return traces
}
