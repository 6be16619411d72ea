import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import http, { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Command } from 'commander'
import { timesOf } from './beside.ts'
import { millraceFile, programFile } from './places.ts'
import type { Filled } from './programs/fill.ts'
import { startService } from './service.ts'

/** Measures how a workspace is affected by two others: one tags all of its contacts, the other has an endpoint that never answers. */

interface Caller {
  readonly workspaceId: number
  call(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: Answer }>
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely here
type Answer = any

const agent = new http.Agent({ keepAlive: true, maxSockets: 16 })

const caller = (origin: string, workspaceId: number, token: string): Caller => ({
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
const listen = async (onEvent?: (event: Answer) => void): Promise<Server & { readonly url: string }> => {
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

const subscribe = ({ workspaceId, call }: Caller, url: string) =>
  call('POST', `/workspaces/${workspaceId}/webhooks/outgoing/endpoints`, {
    webhooks_outgoing_endpoint: { url, name: 'Bench', event_type_ids: ['$contact.created'] },
  })

/** Starts work a fixed number of times a second until `isOver`. */
const pacing = async (perSecond: number, isOver: () => boolean, work: (n: number) => Promise<unknown>) => {
  const begun = performance.now()
  const all: Promise<unknown>[] = []
  for (let n = 0; !isOver(); n++) {
    await wait(Math.max(0, begun + (n * 1000) / perSecond - performance.now()))
    all.push(work(n))
  }
  await Promise.all(all)
}

/** Times in milliseconds that the third workspace waits for commits, for policies, and for webhooks after the acknowledged write. */
class Third {
  readonly commits: number[] = []
  readonly policies: number[] = []
  readonly webhooks: number[] = []
  readonly #caller: Caller
  readonly #acknowledged = new Map<number, number>()
  readonly #arrived = new Map<number, number>()

  constructor(caller: Caller) {
    this.#caller = caller
  }

  arrived(id: number): void {
    const acknowledged = this.#acknowledged.get(id)
    // A webhook may arrive before the answer to the request that caused it.
    if (acknowledged === undefined) this.#arrived.set(id, performance.now())
    else this.webhooks.push(performance.now() - acknowledged)
  }

  async create(n: number): Promise<void> {
    const { workspaceId, call } = this.#caller
    const begun = performance.now()
    const contact = { email_address: `third-${process.pid}-${n}-${Math.random()}@example.com` }
    const { body } = await call('POST', `/workspaces/${workspaceId}/contacts`, { contact })
    this.commits.push(performance.now() - begun)
    this.#acknowledged.set(body.id, performance.now())
    if (this.#arrived.delete(body.id)) this.webhooks.push(0)
  }

  /** Changes the subdomain, and waits for the policy that adds the domain. */
  async policy(n: number): Promise<void> {
    const { workspaceId, call } = this.#caller
    const subdomain = `third-${Math.round(performance.now())}-${n}`
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
}

const measure = async ({ contacts, alone }: { readonly contacts: string; readonly alone: string }): Promise<void> => {
  const home = await mkdtemp(path.join(tmpdir(), 'millrace-isolation-'))
  const data = path.join(home, 'data')
  const fill = execFileSync(process.execPath, [programFile('fill'), data, 'contacts', contacts], { maxBuffer: 1 << 28 })
  const filled = JSON.parse(fill.toString().trim().split('\n').at(-1)!) as Filled
  const service = await startService(data, { env: { MILLRACE_ALLOW_PRIVATE_TARGETS: '1' } })
  const { origin } = service.ready
  const tagging = caller(origin, filled.workspaceId, filled.token)
  const cli = (...args: string[]) =>
    execFileSync(process.execPath, [millraceFile(), ...args, '--data', data], { encoding: 'utf8' })
  const open = (name: string): Caller => {
    const made = cli('workspace', 'create', '--name', name, '--subdomain', name)
    const { workspace_id: id } = JSON.parse(made.trim().split('\n').at(-1)!)
    return caller(origin, id, cli('keys', 'create', '--workspace', String(id)).match(/mr_[\w-]+/)![0])
  }
  const [hanging, quiet] = [open('hanging'), open('quiet')]
  const third = new Third(quiet)
  const [hung, quick] = [await listen(), await listen(({ subject_id }) => third.arrived(subject_id))]
  try {
    await subscribe(quiet, quick.url)
    const { body: tag } = await tagging.call('POST', `/workspaces/${tagging.workspaceId}/contacts/tags`, {
      contacts_tag: { name: 'Tagged' },
    })
    let isOver = false
    const ours = [
      pacing(
        20,
        () => isOver,
        (n) => third.create(n),
      ),
      (async () => {
        for (let n = 0; !isOver; n++) await Promise.all([third.policy(n), wait(100)])
      })(),
    ]
    await wait(Number(alone) * 1000)
    const before = third.times()
    await subscribe(hanging, hung.url)
    const theirs = pacing(
      100,
      () => isOver,
      (n) => hanging.call('POST', `/workspaces/${hanging.workspaceId}/contacts`, { contact: { first_name: `${n}` } }),
    )
    const begun = performance.now()
    const { body: job } = await tagging.call('POST', `/workspaces/${tagging.workspaceId}/contacts/tag_actions`, {
      contacts_tag_action: { tag_ids: [tag.id], target_all: true },
    })
    let completed: Answer
    do {
      await wait(100)
      completed = (await tagging.call('GET', `/contacts/tag_actions/${job.id}`)).body
    } while (!completed.completed_at)
    const seconds = (performance.now() - begun) / 1000
    const beside = third.times()
    isOver = true
    await Promise.all([...ours, theirs])
    const tagged = { contacts: completed.performed_count, per_second: Math.round(completed.performed_count / seconds) }
    process.stdout.write(`${JSON.stringify({ tagged, alone: before, beside }, null, 2)}\n`)
  } finally {
    hung.closeAllConnections()
    await service.stop()
    await rm(home, { recursive: true, force: true })
  }
}

await new Command('isolation')
  .option('--contacts <number>', 'how many are tagged', '200000')
  .option('--alone <seconds>', 'for how long the third workspace is alone before', '10')
  .action(measure)
  .parseAsync()
process.exit(0)
