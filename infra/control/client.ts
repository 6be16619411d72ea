import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { createInterface } from 'node:readline'

/** Client of the process that uses the data directory. */
export interface ControlClient {
  /** @throws {Error} with the reason, when the process refuses */
  ask<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T>
  /** Yields lines of JSON as they arrive. */
  lines<T>(method: 'GET' | 'POST', path: string): AsyncIterable<T>
}

const open = (
  socketPath: string,
  method: string,
  path: string,
  { body, signal }: { readonly body?: object | undefined; readonly signal?: AbortSignal } = {},
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const payload = body && JSON.stringify(body)
    const headers = payload ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } : {}
    // A connection that is kept for later would keep the process alive.
    request({ socketPath, method, path, headers, agent: false, ...(signal && { signal }) }, resolve)
      .on('error', reject)
      .end(payload)
  })

const text = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Status that a process reports. */
export interface Status {
  readonly pid: number
  /** The process will soon give the data directory up by itself. */
  readonly ending?: boolean
}

/** Longest wait for an answer: a process that is just starting accepts connections, but does not answer yet, and one on a busy machine answers late. */
const STATUS_MS = 3000

/** Returns the status of the process behind a socket; `undefined` when none answers. */
export const statusOf = async (socketPath: string): Promise<Status | undefined> => {
  try {
    const response = await open(socketPath, 'GET', '/status', { signal: AbortSignal.timeout(STATUS_MS) })
    return JSON.parse(await text(response)) as Status
  } catch {
    return undefined
  }
}

export const controlClient = (socketPath: string): ControlClient => ({
  async ask<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await open(socketPath, method, path, { body })
    const answer = JSON.parse(await text(response)) as T & { readonly error?: string }
    if (response.statusCode !== 200)
      throw new Error(answer.error ?? `the running process answered ${response.statusCode}`)
    return answer
  },
  async *lines<T>(method: string, path: string): AsyncIterable<T> {
    const response = await open(socketPath, method, path)
    if (response.statusCode !== 200) throw new Error(await text(response))
    for await (const line of createInterface({ input: response })) yield JSON.parse(line) as T
  },
})
