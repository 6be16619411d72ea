import type { Document } from '../../domain/kernel/ports/read-models.ts'

/** Field of a document, given by its name or by a dotted path into objects. */
export class FieldPath {
  readonly #head: string
  readonly #rest: readonly string[]

  constructor(path: string) {
    const [head, ...rest] = path.split('.')
    this.#head = head!
    this.#rest = rest
  }

  /** Returns the value at the path, null where it is missing. An array means several values. An array on the way is entered as in MongoDB. */
  read(document: Document): unknown {
    const value: unknown = document[this.#head]
    if (this.#rest.length === 0) return value ?? null
    const found: unknown[] = []
    const several = collect(value, this.#rest, 0, found)
    return several ? found : (found[0] ?? null)
  }
}

/** Collects the values below a path into `found`. Returns whether they are the elements of an array. */
function collect(value: unknown, path: readonly string[], at: number, found: unknown[]): boolean {
  if (Array.isArray(value)) {
    for (const element of value) {
      if (at === path.length) found.push(element)
      else if (isObject(element)) collect(element[path[at]!], path, at + 1, found)
    }
    return true
  }
  if (at === path.length) found.push(value ?? null)
  else if (isObject(value)) return collect(value[path[at]!], path, at + 1, found)
  else found.push(null)
  return false
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null
}
