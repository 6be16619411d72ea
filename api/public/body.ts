import type { IncomingMessage } from 'node:http'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { bodyMemory, type HeldMemory } from '../http/body-memory.ts'
import type { ApiContext } from '../http/context.ts'
import { countedAs } from '../http/failed-attempts.ts'

/** Bytes of bodies that are held at once, of all senders and of one address. */
const BODIES = { total: 16 * 1024 * 1024, each: 4 * 1024 * 1024 }
const FIRST_BYTES = 8 * 1024

/** Uses the bytes of a body as sent, because signatures cover the bytes. @throws {Refusal} too large, or malformed when the body breaks off */
export type WithBody = <T>(ctx: ApiContext, mostBytes: number, use: (body: Buffer) => Promise<T>) => Promise<T>

/** Yields the pieces of a body. @throws {Refusal} malformed, when the client is gone before the end */
async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch {
    throw refuse.malformed('the body broke off')
  }
}

/** Reads a body into one buffer that grows with it, because a list of tiny pieces would take far more than their bytes. */
const read = async (request: IncomingMessage, mostBytes: number, memory: HeldMemory): Promise<Buffer> => {
  const tooLarge = () => refuse.tooLarge(`a body may have at most ${mostBytes} bytes`)
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge()
  let buffer: Buffer = Buffer.alloc(0)
  let bytes = 0
  for await (const piece of piecesOf(request)) {
    if (bytes + piece.length > mostBytes) throw tooLarge()
    if (bytes + piece.length > buffer.length) {
      const size = Math.min(mostBytes, Math.max(FIRST_BYTES, 2 * buffer.length, bytes + piece.length))
      memory.grow(size - buffer.length)
      const grown = Buffer.alloc(size)
      buffer.copy(grown, 0, 0, bytes)
      buffer = grown
    }
    bytes += piece.copy(buffer, bytes)
  }
  return buffer.subarray(0, bytes)
}

/** Creates the reader of bodies from strangers. What it holds at once is bounded, in total and by address. */
export const bodiesOfStrangers = (): WithBody => {
  const memoryOf = bodyMemory<string>(BODIES)
  return async (ctx, mostBytes, use) => {
    const memory = memoryOf(countedAs(ctx.ip))
    try {
      if (ctx.req.headers.expect !== undefined) ctx.res.writeContinue()
      return await use(await read(ctx.req, mostBytes, memory))
    } finally {
      memory.release()
    }
  }
}
