import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressed = {
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
}

/** Encodings of a body besides none, the better one first. */
export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Bytes from which on compressing pays. */
const WORTH_COMPRESSING = 1024

/** Content of an answer with its headers. Its tag follows from its bytes and names all encodings of them. */
export class Body {
  readonly bytes: Buffer
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly #encoded = new Map<Encoding, Promise<Buffer>>()

  constructor(text: string | Buffer, headers: Readonly<Record<string, string>>) {
    this.bytes = typeof text === 'string' ? Buffer.from(text) : text
    this.etag = `W/"${createHash('sha256').update(this.bytes).digest('base64url').slice(0, 22)}"`
    this.headers = { 'Cache-Control': 'no-cache', ...headers, ETag: this.etag, Vary: 'Accept-Encoding' }
  }

  /** Bytes of memory that it takes, with the encodings that may be kept beside it. */
  get size(): number {
    return 2 * this.bytes.length
  }

  get isWorthCompressing(): boolean {
    return this.bytes.length >= WORTH_COMPRESSING
  }

  /** Returns the bytes in an encoding. They are compressed once. */
  encoded(encoding: Encoding): Promise<Buffer> {
    const known = this.#encoded.get(encoding)
    if (known) return known
    const made = compressed[encoding](this.bytes)
    this.#encoded.set(encoding, made)
    return made
  }
}
