/** Type bytes in the order in which MongoDB sorts values of different types. */
export const TAG = { null: 0x08, number: 0x10, string: 0x20, structured: 0x30, false: 0x40, true: 0x41 } as const
/** Greater than whatever may follow a complete value inside a key. */
export const BEHIND = 0xff

/** Bytes of one text that go into a key; a longer one is cut, and told from its like by looking at the document. */
const TEXT_LIMIT = 255
const CAPACITY = 4096

const double = new DataView(new ArrayBuffer(8))

/** Whether the key holds the whole value, so that equal bytes mean equal values. */
export function fitsKey(value: unknown): boolean {
  return typeof value === 'string' ? value.length * 3 < TEXT_LIMIT : value === null || typeof value !== 'object'
}

/**
 * A key under construction: values one behind the other such that comparing bytes compares the values, type before value.
 * A structured value (object or array) is ordered by its JSON text.
 */
export class KeyBuffer extends Uint8Array {
  used = 0

  static allocate(): KeyBuffer {
    return new KeyBuffer(CAPACITY)
  }

  begin(prefix: Uint8Array): void {
    for (let i = 0; i < prefix.length; i++) this[i] = prefix[i]!
    this.used = prefix.length
  }

  value(value: unknown): void {
    if (typeof value === 'number') this.#number(value)
    else if (typeof value === 'string') this.#text(TAG.string, value)
    else if (typeof value === 'boolean') this.byte(value ? TAG.true : TAG.false)
    else if (value === null || value === undefined) this.byte(TAG.null)
    else this.#text(TAG.structured, JSON.stringify(value))
  }

  byte(byte: number): void {
    this[this.used++] = byte
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

  #text(tag: number, value: string): void {
    this.byte(tag)
    if (!this.#ascii(value)) this.#utf8(value)
    this.byte(0)
  }

  /** Whether the text has nothing that must be encoded; what was written otherwise is of no account. */
  #ascii(value: string): boolean {
    const start = this.used
    const end = Math.min(value.length, TEXT_LIMIT)
    for (let i = 0; i < end; i++) {
      const code = value.charCodeAt(i)
      if (code === 0 || code > 0x7f) return false
      this[start + i] = code
    }
    this.used = start + end
    return true
  }

  /** A zero ends the text, so that a zero inside it is followed by a mark. */
  #utf8(value: string): void {
    const bytes = Buffer.from(value, 'utf8')
    const end = this.used + TEXT_LIMIT
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
