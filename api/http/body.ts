import type { IncomingMessage } from 'node:http'
import type { koaBody } from 'koa-body'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { bodyMemory } from './body-memory.ts'
import { checkCoding } from './codings.ts'
import type { ApiContext } from './context.ts'
import { parseJson } from './json.ts'
import { lossyNumbersIn } from './lossy-numbers.ts'
import { hasBody } from './unread-body.ts'
import { checkCharset, utf8Text } from './utf8.ts'
import { whenOver } from './when-over.ts'

/** Bytes of bodies that are held at once, of all tokens. A quarter of them may be of one token. */
const HELD_BYTES = 128 * 1024 * 1024
const LEAST_HELD = 8

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are ASCII too.
const ASCII = /^[\x00-\x7f]*$/

type Reader = ReturnType<typeof koaBody>
type Body = ApiContext['request']['body']

const statusOf = (error: unknown): number | undefined => (error as { status?: number }).status

/** Discards the rest of a body. Otherwise the next request of the connection would wait behind it for ever. */
const drop = (request: IncomingMessage): void => {
  request.unpipe()
  request.resume()
}

/** Returns the bytes that a body may take, as far as its headers tell. */
const bytesAnnounced = ({ headers }: IncomingMessage, limitBytes: number): number =>
  headers['transfer-encoding'] === undefined && headers['content-encoding'] === undefined
    ? Math.min(Number(headers['content-length']), limitBytes)
    : limitBytes

/** Loads koa-body, with the first body that arrives: with its dependencies it would take a tenth of the start-up time and of the memory at rest. */
const loadReader = async (limitBytes: number): Promise<Reader> => {
  const { HttpMethodEnum, koaBody } = await import('koa-body')
  return koaBody({
    textLimit: limitBytes,
    // One character for each byte, since koa-body would replace bytes that are not UTF-8.
    encoding: 'binary',
    parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.PATCH, HttpMethodEnum.DELETE],
    onError: (error) => {
      if (statusOf(error) === 413) throw refuse.tooLarge(`a body may have at most ${limitBytes} bytes`)
      throw refuse.malformed('HTTP body must be valid JSON')
    },
  })
}

/**
 * Creates the reader of JSON bodies of at most `limitBytes`, with any content type.
 *
 * @throws {Refusal} from the reader: malformed for a body that is not JSON in UTF-8, is nested too deeply or has too many values, tooLarge above
 * the limit, unsupported for one that is announced in another charset or coding, tooMany or unavailable while too many bytes of other bodies are held
 */
export const bodyReader = (limitBytes: number) => {
  let read: Reader | undefined
  const total = Math.max(HELD_BYTES, LEAST_HELD * limitBytes)
  const memoryOf = bodyMemory<number | string>({ total, each: total / 4 })
  const hold = ({ req, res, state }: ApiContext): void => {
    const memory = memoryOf(state.caller?.tokenId ?? 0)
    memory.grow(bytesAnnounced(req, limitBytes))
    whenOver(res, memory.release)
  }
  const readJson = async (ctx: ApiContext): Promise<void> => {
    checkCharset(ctx.req.headers['content-type'])
    checkCoding(ctx.req)
    hold(ctx)
    read ??= await loadReader(limitBytes)
    if (ctx.req.headers.expect !== undefined) ctx.res.writeContinue()
    ctx.req.headers['content-type'] = 'text/plain'
    await read(ctx as Parameters<Reader>[0], async () => {}).finally(() => drop(ctx.req))
    const { body } = ctx.request
    if (typeof body !== 'string' || body === '') return
    const text = ASCII.test(body) ? body : utf8Text(Buffer.from(body, 'latin1'))
    // koa-body itself would refuse the key `__proto__` as bad JSON.
    ctx.request.body = parseJson(text) as Body
    const lossy = lossyNumbersIn(text)
    ctx.state.lossyNumbers = lossy instanceof Promise ? await lossy : lossy
  }
  return (ctx: ApiContext): MaybePromise<void> =>
    ctx.method === 'GET' || !hasBody(ctx.req) ? undefined : readJson(ctx)
}
