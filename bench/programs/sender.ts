import http from 'node:http'
import { parentPort } from 'node:worker_threads'

/** Sends requests and reads their answers in a thread of its own, so that neither is work of the thread that serves them. */

export interface SentRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export interface SentAnswer {
  readonly status: number
  readonly bytes: number
  /** Its beginning, or all of it if it is asked for. */
  readonly text: string
}

const BEGINNING = 100_000
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })

const send = ({ url, method, headers, body }: SentRequest): Promise<SentAnswer> =>
  new Promise((resolve, reject) => {
    const length = body ? { 'content-length': String(body.length) } : {}
    const request = http.request(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => {
        const all = Buffer.concat(pieces)
        resolve({ status: response.statusCode ?? 0, bytes: all.length, text: all.toString('utf8', 0, BEGINNING) })
      })
    })
    request.on('error', reject)
    request.end(body)
  })

parentPort?.on('message', async (request: SentRequest) => {
  parentPort?.postMessage(await send(request).catch((error: unknown) => ({ status: 0, bytes: 0, text: String(error) })))
})
