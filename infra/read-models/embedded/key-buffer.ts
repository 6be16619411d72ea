/** Type bytes in the order in which MongoDB sorts values of different types. */
export const TAG = { null: 0x08, number: 0x10, string: 0x20, structured: 0x30, false: 0x40, true: 0x41 } as const
/** Greater than whatever may follow a complete value inside a key. */
export const BEHIND = 0xff

/** Columns of an index, and bytes of a text in one of them and of an id, such that a key of LMDB (1,978 bytes) holds them all. */
export const MOST_COLUMNS = 6
const TEXT_LIMIT = 200
const ID_LIMIT = 760
const CAPACITY = 4096

const double = new DataView(new ArrayBuffer(8))

/** Whether a key holds the whole value, so that equal bytes mean equal values; a text too long for it is cut. */
export function fitsKey(value: unknown): boolean {
  return typeof value === 'string' ? value.length * 3 < TEXT_LIMIT : value === null || typeof value !== 'object'
}

/** Whether this can be the id of a document: a number, or a text that a key holds whole and that can be read back from it. */
export function isId(id: unknown): id is number | string {
  if (typeof id === 'number') return Number.isFinite(id)
  return typeof id === 'string' && Buffer.byteLength(id) <= ID_LIMIT && !id.includes('\0')
}

/**
 * A key under construction: values one behind the other such that comparing bytes compares the values, type before value.
 * A structured value (object or array) is ordered by its JSON text.
 */
export class KeyBuffer extends Uint8Array {
  used = 0
  /** By length: making one costs more than copying a key. */
  readonly #views: Uint8Array[] = []

  static allocate(): KeyBuffer {
    return new KeyBuffer(CAPACITY)
  }

  begin(prefix: Uint8Array): void {
    for (let i = 0; i < prefix.length; i++) this[i] = prefix[i]!
    this.used = prefix.length
  }

  value(value: unknown): void {
    if (typeof value === 'number') this.#number(value)
    else if (typeof value === 'string') this.#text(TAG.string, value, TEXT_LIMIT)
    else if (typeof value === 'boolean') this.byte(value ? TAG.true : TAG.false)
    else if (value === null || value === undefined) this.byte(TAG.null)
    else this.#text(TAG.structured, JSON.stringify(value), TEXT_LIMIT)
  }

  byte(byte: number): void {
    this[this.used++] = byte
  }

  /** An id, which unlike other values is never cut. */
  id(id: number | string): void {
    if (typeof id === 'number') this.#number(id)
    else this.#text(TAG.string, id, ID_LIMIT)
  }

  /** The key so far, for as long as it is not changed. */
  bytes(): Uint8Array {
    let view = this.#views[this.used]
    if (!view) this.#views[this.used] = view = new Uint8Array(this.buffer, 0, this.used)
    return view
  }

  /** The key so far, in bytes of its own. */
  copy(): Buffer {
    return Buffer.copyBytesFrom(this, 0, this.used)
  }

  #number(value: number): void {
    const at = this.used
    double.setFloat64(0, value + 0) // minus zero is zero
    const high = double.getUint32(0)
    const low = double.getUint32(4)
    const negative = high > 0x7fffffff
    this[at] = TAG.number
    put32(this, at + 1, negative ? ~high : high ^ 0x80000000)
    put32(this, at + 5, negative ? ~low : low)
    this.used = at + 9
  }

  #text(tag: number, value: string, limit: number): void {
    this.byte(tag)
    if (!this.#ascii(value, limit)) this.#utf8(value, limit)
    this.byte(0)
  }

  /** Whether the text has nothing that must be encoded; what was written otherwise is of no account. */
  #ascii(value: string, limit: number): boolean {
    const start = this.used
    const end = Math.min(value.length, limit)
    for (let i = 0; i < end; i++) {
      const code = value.charCodeAt(i)
      if (code === 0 || code > 0x7f) return false
      this[start + i] = code
    }
    this.used = start + end
    return true
  }

  /** A zero ends the text, so that a zero inside it is followed by a mark. */
  #utf8(value: string, limit: number): void {
    const bytes = Buffer.from(value, 'utf8')
    const end = this.used + limit
    for (let i = 0; i < bytes.length && this.used < end; i++) {
      this.byte(bytes[i]!)
      if (bytes[i] === 0) this.byte(BEHIND)
    }
  }
}

function put32(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >>> 24
  bytes[at + 1] = word >>> 16
  bytes[at + 2] = word >>> 8
  bytes[at + 3] = word
}
