import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Adapter, CallResult, QueryResult } from '../../../domain/kernel/ports/calls.ts'
import type { Charge } from './purchase.ts'

/** How the gateway treats a request: whether it executes it, and what happens to the connection. */
export type Behaviour =
  | 'answers'
  | 'declines'
  | 'is busy'
  | 'is slow'
  | 'acts and hangs'
  | 'hangs'
  | 'acts and cuts'
  | 'cuts'

interface Done {
  readonly key: string
  readonly id: string
  readonly amount_cents: number
  refunded: boolean
}

/** A payment gateway over HTTP that ignores the keys of charges: a charge that is sent twice is made twice. */
export interface Gateway {
  /** Executed charges. */
  readonly charges: readonly Done[]
  /** Received requests in order: `charge`, `find`, `refund`. */
  readonly asked: readonly string[]
  /** Sets how the next requests are treated, one after the other. Later requests are answered. */
  next(...manners: readonly Behaviour[]): void
  readonly charge: Adapter<Charge, { readonly charge_id: string }>
  readonly refund: Adapter<{ readonly charge_id: string }, { readonly refund_id: string }>
  close(): Promise<void>
}

const SLOW_MS = 60

const say = (response: ServerResponse, status: number, body: object) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Treats a request of any kind in this manner. */
const treat = async (manner: Behaviour, request: IncomingMessage, response: ServerResponse, act: () => object) => {
  if (manner === 'declines') return say(response, 402, { reason: 'the card is declined' })
  if (manner === 'is busy') return say(response, 503, { reason: 'come back later' })
  if (manner === 'is slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
  if (manner === 'hangs') return undefined
  if (manner === 'cuts') return request.socket.destroy()
  const body = act()
  if (manner === 'acts and cuts') return request.socket.destroy()
  return manner === 'acts and hangs' ? undefined : say(response, 200, body)
}

/** Interprets the status of an answer of this gateway. */
const read = async <Answer>(response: Response): Promise<CallResult<Answer>> => {
  const body = (await response.json()) as Answer & { readonly reason: string }
  if (response.status === 200) return { came: 'answered', answer: body }
  return { came: response.status === 402 ? 'refused' : 'failed', reason: body.reason }
}

export const openGateway = async (): Promise<Gateway> => {
  const charges: Done[] = []
  const asked: string[] = []
  const manners: Behaviour[] = []
  const server = createServer(async (request, response) => {
    const [, what = '', key = ''] = (request.url ?? '').split('/')
    asked.push(what)
    const manner = manners.shift() ?? 'answers'
    const sent = request.method === 'POST' ? JSON.parse(await text(request)) : {}
    await treat(manner, request, response, () => {
      if (what === 'charge') {
        const id = randomUUID()
        charges.push({ key, id, amount_cents: sent.amount_cents, refunded: false })
        return { charge_id: id }
      }
      const found = charges.find((one) => (what === 'find' ? one.key === key : one.id === sent.charge_id))
      if (what === 'refund' && found) found.refunded = true
      return { charge_id: found?.id ?? null, refund_id: key }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const post = async <Answer>(what: string, key: string, body: object, signal: AbortSignal) =>
    read<Answer>(await fetch(`${base}/${what}/${key}`, { method: 'POST', body: JSON.stringify(body), signal }))
  return {
    charges,
    asked,
    next: (...given) => manners.push(...given),
    charge: {
      send: (request, key, signal) => post('charge', key, request, signal),
      async find(_, key, signal): Promise<QueryResult<{ readonly charge_id: string }>> {
        const found = await read<{ readonly charge_id: string | null }>(await fetch(`${base}/find/${key}`, { signal }))
        if (found.came !== 'answered') return { came: 'unknown', reason: found.reason }
        const { charge_id } = found.answer
        return charge_id === null ? { came: 'never' } : { came: 'answered', answer: { charge_id } }
      },
    },
    refund: { send: (request, key, signal) => post('refund', key, request, signal) },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
