import { execFileSync } from 'node:child_process'
import http, { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { timesOf } from './beside.ts'
import { millraceFile } from './places.ts'

/** A quiet workspace beside busy ones: what it waits for shows how they affect it. */

export interface Caller {
  readonly workspaceId: number
  call(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: Answer }>
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely here
export type Answer = any

const agent = new http.Agent({ keepAlive: true, maxSockets: 16 })

export const caller = (origin: string, workspaceId: number, token: string): Caller => ({
  workspaceId,
  call: (method, to, body) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const sent =
        text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
      const headers = { authorization: `Bearer ${token}`, ...sent }
      const request = http.request(`${origin}/api/v2${to}`, { method, agent, headers }, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('end', () => {
          const answer = Buffer.concat(pieces).toString()
          resolve({ status: response.statusCode ?? 0, body: answer === '' ? undefined : JSON.parse(answer) })
        })
      })
      request.on('error', reject)
      request.end(text)
    }),
})

/** A subscriber's server. `onEvent` is called at the last byte of each delivery. */
export const listen = async (onEvent?: (event: Answer) => void): Promise<Server & { readonly url: string }> => {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      // Without a listener the endpoint never answers.
      if (!onEvent) return
      onEvent(JSON.parse(Buffer.concat(pieces).toString()))
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(server, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
}

export const subscribe = ({ workspaceId, call }: Caller, url: string) =>
  call('POST', `/workspaces/${workspaceId}/webhooks/outgoing/endpoints`, {
    webhooks_outgoing_endpoint: { url, name: 'Bench', event_type_ids: ['$contact.created'] },
  })

/** Starts work a fixed number of times a second until `isOver`. */
export const pacing = async (perSecond: number, isOver: () => boolean, work: (n: number) => Promise<unknown>) => {
  const begun = performance.now()
  const all: Promise<unknown>[] = []
  for (let n = 0; !isOver(); n++) {
    await wait(Math.max(0, begun + (n * 1000) / perSecond - performance.now()))
    all.push(work(n))
  }
  await Promise.all(all)
}

/** Opens another workspace of a service on a data directory. */
export const openWorkspace = (origin: string, data: string, name: string): Caller => {
  const cli = (...args: string[]) =>
    execFileSync(process.execPath, [millraceFile(), ...args, '--data', data], { encoding: 'utf8' })
  const made = cli('workspace', 'create', '--name', name, '--subdomain', name)
  const { workspace_id: id } = JSON.parse(made.trim().split('\n').at(-1)!)
  return caller(origin, id, cli('keys', 'create', '--workspace', String(id)).match(/mr_[\w-]+/)![0])
}

/** Times in milliseconds that the quiet workspace waits for commits, for policies, and for webhooks after the acknowledged write. */
export class QuietWorkspace {
  readonly commits: number[] = []
  readonly policies: number[] = []
  readonly webhooks: number[] = []
  readonly caller: Caller
  readonly #acknowledged = new Map<number, number>()
  readonly #arrived = new Map<number, number>()

  constructor(caller: Caller) {
    this.caller = caller
  }

  arrived(id: number): void {
    const acknowledged = this.#acknowledged.get(id)
    // A webhook may arrive before the answer to the request that caused it.
    if (acknowledged === undefined) this.#arrived.set(id, performance.now())
    else this.webhooks.push(performance.now() - acknowledged)
  }

  async create(n: number): Promise<void> {
    const { workspaceId, call } = this.caller
    const begun = performance.now()
    const contact = { email_address: `quiet-${process.pid}-${n}-${Math.random()}@example.com` }
    const { body } = await call('POST', `/workspaces/${workspaceId}/contacts`, { contact })
    this.commits.push(performance.now() - begun)
    this.#acknowledged.set(body.id, performance.now())
    if (this.#arrived.delete(body.id)) this.webhooks.push(0)
  }

  /** Changes the subdomain, and waits for the policy that adds the domain. */
  async policy(n: number): Promise<void> {
    const { workspaceId, call } = this.caller
    const subdomain = `quiet-${Math.round(performance.now())}-${n}`
    await call('PUT', `/workspaces/${workspaceId}`, { workspace: { subdomain } })
    const begun = performance.now()
    const isDone = async () => {
      const { body } = await call('GET', `/workspaces/${workspaceId}/domains`)
      return body.some(({ name }: Answer) => name === `${subdomain}.localhost`)
    }
    while (!(await isDone())) await wait(3)
    this.policies.push(performance.now() - begun)
  }

  /** Times since the last call. */
  times() {
    const found = {
      commits: timesOf(this.commits),
      policies: timesOf(this.policies),
      webhooks: timesOf(this.webhooks),
      count: this.commits.length,
    }
    this.commits.length = 0
    this.policies.length = 0
    this.webhooks.length = 0
    return found
  }

  /** Creates contacts and changes the subdomain until `isOver`. */
  async keepUp(isOver: () => boolean): Promise<void> {
    const policies = async () => {
      for (let n = 0; !isOver(); n++) await Promise.all([this.policy(n), wait(100)])
    }
    await Promise.all([pacing(20, isOver, (n) => this.create(n)), policies()])
  }
}
