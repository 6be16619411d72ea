import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'

/** Answer that is given again and again. */
export interface BareAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Body in base64; empty: none. */
  readonly body: string
}

/**
 * A bare server for answers from memory: Koa, which sends the same status, headers and bytes at each path. Takes a file with answers by path, as JSON;
 * prints `{"api":"http://…"}`.
 */
const given = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Readonly<Record<string, BareAnswer>>
const answers = new Map(
  Object.entries(given).map(([path, { body, ...rest }]) => [path, { ...rest, body: Buffer.from(body, 'base64') }]),
)

const app = new Koa()
app.use((ctx) => {
  const { status, headers, body } = answers.get(ctx.path)!
  ctx.set(headers)
  ctx.status = status
  if (body.length > 0) ctx.body = body
})

const server = createServer(app.callback()).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ api: `http://127.0.0.1:${port}` })}\n`)
})
process.once('SIGTERM', () => process.exit(0))
