import type { IncomingMessage } from 'node:http'
import type { koaBody } from 'koa-body'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { ApiContext } from './context.ts'
import { parseJson } from './json.ts'
import { hasBody } from './unread-body.ts'

type Reader = ReturnType<typeof koaBody>
type Body = ApiContext['request']['body']

/** Parses a body that koa-body has read as text. koa-body itself would refuse the key `__proto__` as bad JSON. */
const parsed = (text: Body): Body => (typeof text === 'string' && text !== '' ? (parseJson(text) as Body) : text)

const statusOf = (error: unknown): number | undefined => (error as { status?: number }).status

/** Discards the rest of a body. Otherwise the next request of the connection would wait behind it for ever. */
const drop = (request: IncomingMessage): void => {
  request.unpipe()
  request.resume()
}

/** Loads koa-body, with the first body that arrives: with its dependencies it would take a tenth of the start-up time and of the memory at rest. */
const loadReader = async (limitBytes: number): Promise<Reader> => {
  const { HttpMethodEnum, koaBody } = await import('koa-body')
  return koaBody({
    textLimit: limitBytes,
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
 * @throws {Refusal} from the reader: malformed for a body that is not JSON, is nested too deeply or has too many values, tooLarge above the limit
 */
export const bodyReader = (limitBytes: number) => {
  let read: Reader | undefined
  const readJson = async (ctx: ApiContext): Promise<void> => {
    read ??= await loadReader(limitBytes)
    if (ctx.req.headers.expect !== undefined) ctx.res.writeContinue()
    ctx.req.headers['content-type'] = 'text/plain'
    await read(ctx as Parameters<Reader>[0], async () => {}).finally(() => drop(ctx.req))
    ctx.request.body = parsed(ctx.request.body)
  }
  return (ctx: ApiContext): MaybePromise<void> =>
    ctx.method === 'GET' || !hasBody(ctx.req) ? undefined : readJson(ctx)
}
