import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { spelled } from '../http/spelled.ts'

/** A body is compressed once and sent many times. */
const compressed = {
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
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

/** Headers of every answer with pages of a site. */
export const HEADERS = {
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
}

/** Body in an encoding, or in none, ready to be sent. */
export interface Representation {
  readonly bytes: Buffer
  /** Headers of the answer: names and values in turn. */
  readonly headers: readonly string[]
}

/** Content of an answer with its headers. Its tag follows from its bytes and names all encodings of them. */
export class Body {
  readonly bytes: Buffer
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  /** Headers of the answer to a client that has the body. */
  readonly unchanged: readonly string[]
  readonly whole: Representation
  readonly #encoded = new Map<Encoding, Representation | Promise<Representation>>()

  /** @param digest of the text, where it is known */
  constructor(text: string | Buffer, headers: Readonly<Record<string, string>>, digest?: string) {
    this.bytes = typeof text === 'string' ? Buffer.from(text) : text
    this.etag = `W/"${(digest ?? hash('sha256', this.bytes, 'base64url')).slice(0, 22)}"`
    this.headers = { ...HEADERS, 'Cache-Control': 'no-cache', ...headers, ETag: this.etag, Vary: 'Accept-Encoding' }
    const { 'Content-Type': _, ...unchanged } = this.headers
    this.unchanged = Object.entries(unchanged).flat()
    this.whole = this.#representation(this.bytes)
  }

  /** Bytes of memory that it takes, with the encodings that may be kept beside it. */
  get size(): number {
    return 2 * this.bytes.length
  }

  get isWorthCompressing(): boolean {
    return this.bytes.length >= WORTH_COMPRESSING
  }

  /** Returns the body in an encoding. It is compressed once. */
  encoded(encoding: Encoding): Representation | Promise<Representation> {
    const known = this.#encoded.get(encoding)
    if (known) return known
    const made = compressed[encoding](this.bytes).then((bytes) => {
      const representation = this.#representation(bytes, encoding)
      this.#encoded.set(encoding, representation)
      return representation
    })
    this.#encoded.set(encoding, made)
    return made
  }

  #representation(bytes: Buffer, encoding?: Encoding): Representation {
    const more = { ...(encoding && { 'Content-Encoding': encoding }), 'Content-Length': String(bytes.length) }
    return { bytes, headers: Object.entries({ ...this.headers, ...more }).flat() }
  }
}

/** Returns a body that may be long. It is put together in several turns of the event loop. */
export const bodyInTurns = async (
  parts: Iterable<string>,
  headers: Readonly<Record<string, string>>,
): Promise<Body> => {
  const { bytes, digest } = await spelled(parts)
  return new Body(bytes, headers, digest)
}
