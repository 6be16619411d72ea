import type { IncomingMessage } from 'node:http'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { bodyMemory, type HeldMemory } from './body-memory.ts'
import { checkUncoded } from './codings.ts'
import type { ApiContext } from './context.ts'
import { countedAs } from './failed-attempts.ts'

/** Bytes of bodies that are held at once, of all senders and of one address. */
const BODIES = { total: 16 * 1024 * 1024, each: 4 * 1024 * 1024 }
const FIRST_BYTES = 8 * 1024

/** Uses the bytes of a body as sent, because signatures cover the bytes. @throws {Refusal} too large, unsupported in a coding, or malformed when the body breaks off */
export type WithBody = <T>(ctx: ApiContext, mostBytes: number, use: (body: Buffer) => Promise<T>) => Promise<T>

/** Body that is being read into one buffer, which grows with it, because a list of tiny pieces would take far more than their bytes. */
class Growing {
  readonly #mostBytes: number
  readonly #firstBytes: number
  readonly #memory: HeldMemory
  #buffer: Buffer = Buffer.alloc(0)
  #bytes = 0

  /** @param announcedBytes as its headers have it, or `undefined` */
  constructor(announcedBytes: number | undefined, mostBytes: number, memory: HeldMemory) {
    this.#firstBytes = Math.min(FIRST_BYTES, announcedBytes ?? FIRST_BYTES)
    this.#mostBytes = mostBytes
    this.#memory = memory
  }

  /** @throws {Refusal} too large, tooMany or unavailable */
  add(piece: Buffer): void {
    const bytes = this.#bytes + piece.length
    if (bytes > this.#mostBytes) throw tooLarge(this.#mostBytes)
    if (bytes > this.#buffer.length) this.#grow(bytes)
    this.#bytes += piece.copy(this.#buffer, this.#bytes)
  }

  whole(): Buffer {
    return this.#buffer.subarray(0, this.#bytes)
  }

  #grow(least: number): void {
    const size = Math.min(this.#mostBytes, Math.max(this.#firstBytes, 2 * this.#buffer.length, least))
    this.#memory.grow(size - this.#buffer.length)
    // Only what was copied into it is ever read.
    const grown = Buffer.allocUnsafe(size)
    this.#buffer.copy(grown, 0, 0, this.#bytes)
    this.#buffer = grown
  }
}

const tooLarge = (mostBytes: number) => refuse.tooLarge(`a body may have at most ${mostBytes} bytes`)

/**
 * Reads a body by the events of its stream: an iterator would cost more than all else about a small body.
 *
 * @throws {Refusal} malformed, when the client is gone before the end
 */
const read = (request: IncomingMessage, mostBytes: number, memory: HeldMemory): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const header = request.headers['content-length']
    const announced = header === undefined ? undefined : Number(header)
    if (announced !== undefined && announced > mostBytes) throw tooLarge(mostBytes)
    const body = new Growing(announced, mostBytes, memory)
    const stop = () => {
      request.off('data', take)
      request.off('end', end)
      request.off('close', broken)
    }
    const take = (piece: Buffer) => {
      try {
        body.add(piece)
      } catch (error) {
        stop()
        request.pause()
        reject(error)
      }
    }
    const end = () => {
      stop()
      resolve(body.whole())
    }
    const broken = () => {
      stop()
      reject(refuse.malformed('the body broke off'))
    }
    if (request.destroyed) return broken()
    request.on('data', take)
    request.on('end', end)
    request.on('close', broken)
    return undefined
  })

/** Creates the reader of bodies from strangers. What it holds at once is bounded, in total and by address. */
export const bodiesOfStrangers = (): WithBody => {
  const memoryOf = bodyMemory<string>(BODIES)
  return async (ctx, mostBytes, use) => {
    checkUncoded(ctx.req)
    const memory = memoryOf(countedAs(ctx.ip))
    try {
      if (ctx.req.headers.expect !== undefined) ctx.res.writeContinue()
      return await use(await read(ctx.req, mostBytes, memory))
    } finally {
      memory.release()
    }
  }
}
