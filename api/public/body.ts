import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { ApiContext } from '../http/context.ts'

/** Returns the bytes of a body as sent, because signatures cover the bytes. @throws {Refusal} too large */
export const bytesOf = async ({ req, res }: ApiContext, mostBytes: number): Promise<Buffer> => {
  const tooLarge = () => refuse.tooLarge(`a body may have at most ${mostBytes} bytes`)
  if (Number(req.headers['content-length'] ?? 0) > mostBytes) throw tooLarge()
  if (req.headers.expect !== undefined) res.writeContinue()
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > mostBytes) throw tooLarge()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
