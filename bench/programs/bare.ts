import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Koa from 'koa'
import { open } from 'lmdb'
import { presented } from '../people.ts'

/**
 * The bare server: the minimal cost of a request on this stack. It uses Koa and JSON and, for a write, forces one LMDB record to disk
 * before the answer. Takes a directory; prints `{"api":"http://…"}`.
 */
const records = open<unknown, number>({ path: process.argv[2]! })
let last = 0

const app = new Koa()
app.use(async (ctx) => {
  if (ctx.method === 'GET') {
    ctx.body = presented
    return
  }
  const record = JSON.parse(await text(ctx.req)) as object
  const id = ++last
  await records.put(id, record)
  await records.flushed
  ctx.status = 201
  ctx.body = { id, ...record }
})

const server = createServer(app.callback()).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ api: `http://127.0.0.1:${port}` })}\n`)
})
process.once('SIGTERM', () => process.exit(0))
