import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { CatalogedIndex } from './catalog.ts'
import { FieldPath } from './field-path.ts'
import { KeyBuffer } from './key-buffer.ts'

const key = KeyBuffer.allocate()

/** An index that a generation maintains, and how the entries of a document are made. */
export class MaintainedIndex {
  readonly fields: readonly string[]
  readonly sort: string | undefined
  readonly prefix: Uint8Array
  readonly #number: number
  readonly #paths: readonly FieldPath[]
  readonly #sortPath: FieldPath | undefined
  #multivalued: boolean

  constructor({ fields, sort, number, multivalued }: CatalogedIndex) {
    this.fields = fields
    this.sort = sort
    this.prefix = Uint8Array.of(number >> 8, number & 0xff)
    this.#number = number
    this.#paths = fields.map((field) => new FieldPath(field))
    this.#sortPath = sort === undefined ? undefined : new FieldPath(sort)
    this.#multivalued = multivalued
  }

  /** Whether any document ever had several entries. */
  get multivalued(): boolean {
    return this.#multivalued
  }

  get cataloged(): CatalogedIndex {
    const { fields, sort } = this
    return { fields, ...(sort !== undefined && { sort }), number: this.#number, multivalued: this.#multivalued }
  }

  /** Hands over every entry of the document. The key handed over is only good until the next one. */
  each(document: Document, use: (entry: KeyBuffer) => void): void {
    key.begin(this.prefix)
    this.#from(0, document, use)
  }

  /** What an entry holds of a document behind the fields: the sort value, if any, and the id. */
  order(document: Document): Buffer {
    key.used = 0
    this.#order(document)
    return key.copy()
  }

  /** Whether both versions of a document have the same entries. */
  unchanged(before: Document, after: Document): boolean {
    if (this.#sortPath && !same(this.#sortPath.read(before), this.#sortPath.read(after))) return false
    return this.#paths.every((path) => same(path.read(before), path.read(after)))
  }

  #from(column: number, document: Document, use: (entry: KeyBuffer) => void): void {
    if (column === this.#paths.length) {
      this.#order(document)
      use(key)
      return
    }
    const value = this.#paths[column]!.read(document)
    if (Array.isArray(value)) this.#elements(value, column, document, use)
    else {
      key.value(value)
      this.#from(column + 1, document, use)
    }
  }

  #elements(values: readonly unknown[], column: number, document: Document, use: (entry: KeyBuffer) => void): void {
    this.#multivalued = true
    const mark = key.used
    for (const value of new Set(values)) {
      key.used = mark
      key.value(value)
      this.#from(column + 1, document, use)
    }
  }

  #order(document: Document): void {
    if (this.#sortPath) key.value(this.#sortPath.read(document))
    key.id(document.id)
  }
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  return JSON.stringify(a) === JSON.stringify(b)
}
