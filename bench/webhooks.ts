import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Command } from 'commander'
import { contacts } from '../domain/contacts/contact/rules.ts'
import type { RecordCommand } from '../domain/kernel/decide/rules.ts'
import { Refusal } from '../domain/kernel/values/refusal.ts'
import { endpoints } from '../domain/webhooks/endpoint/rules.ts'
import { readConfig } from '../infra/config.ts'
import { outboundClient } from '../infra/outbound/client.ts'
import { type Background, startBackground } from '../infra/runtime/background.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { openStores } from '../infra/stores/open.ts'
import { residentMemory } from './memory.ts'
import { programFile } from './places.ts'
import { quantile } from './statistics.ts'

/** Measures deliveries to a receiver on this machine: latency, rate and memory. */

interface Progress {
  readonly deliveries: number
  readonly lastAt: number
}

interface Sink {
  readonly port: number
  progress(): Progress
  /** Milliseconds from each event to the first byte of its delivery, since the last call. */
  delays(): Promise<readonly number[]>
  stop(): void
}

interface Endpoint {
  readonly teamId: number
  readonly workspaceId: number
}

const actor = { label: 'bench' }
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const startSink = async (): Promise<Sink> => {
  const child: ChildProcess = spawn(process.execPath, [programFile('webhook-sink')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let progress: Progress = { deliveries: 0, lastAt: 0 }
  let takeDelays: (delays: readonly number[]) => void = () => {}
  const port = await new Promise<number>((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (text) => {
      const line = JSON.parse(text) as Partial<Progress> & { readonly port?: number; readonly delays?: number[] }
      if (line.port !== undefined) resolve(line.port)
      else if (line.delays) takeDelays(line.delays)
      else progress = line as Progress
    })
  })
  return {
    port,
    progress: () => progress,
    delays: () =>
      new Promise((resolve) => {
        takeDelays = resolve
        child.stdin!.write('\n')
      }),
    stop: () => child.kill('SIGTERM'),
  }
}

const start = async (data: string, delivering: boolean): Promise<Background> => {
  const config = readConfig({ MILLRACE_DATA: data })
  const stores = await openStores(config)
  const die = (error: unknown) => {
    throw error
  }
  const roles = delivering ? config.roles : (['projector'] as const)
  return startBackground(stores, createLogger('warn'), die, roles, outboundClient({ allowPrivate: true }))
}

const makePlace = async ({ accounts }: Background): Promise<Endpoint> => {
  const owner = { email: 'bench@example.com', firstName: 'Bench', lastName: 'Mark' }
  const teamId = await accounts.foundTeam({ name: 'Bench', owner })
  const workspaceId = await accounts.openWorkspace(teamId, { name: 'Bench', subdomain: 'bench', currency: 'USD' })
  return { teamId, workspaceId }
}

const transact = async (
  { core }: Background,
  { teamId, workspaceId }: Endpoint,
  aggregate: Parameters<typeof core.engine.transact>[0]['aggregate'],
  command: Omit<RecordCommand, 'id'>,
): Promise<number> => {
  const id = core.ids.next(aggregate.name)
  const cause = `bench-${id}`
  const causes = { causationId: cause, correlationId: cause }
  const result = await core.engine.transact({
    aggregate,
    id,
    command: { id, ...command },
    isNew: true,
    teamId,
    workspaceId,
    ...causes,
  })
  if (result instanceof Refusal) throw result
  return 'position' in result ? result.position : -1
}

const subscribe = async (background: Background, place: Endpoint, port: number): Promise<void> => {
  const url = `http://127.0.0.1:${port}/hook`
  const wanted = { url, name: 'Sink', event_type_ids: ['$contact.created'], nonce: 'bench' }
  const at = new Date().toISOString()
  const position = await transact(background, place, endpoints, { type: 'create', wanted, at, actor })
  await background.reached(position, 10_000)
}

const addContact = (background: Background, place: Endpoint, number: number): Promise<number> => {
  const fields = { email_address: `person-${number}@example.com`, first_name: 'Ada', last_name: `Number ${number}` }
  const at = new Date().toISOString()
  const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  return transact(background, place, contacts, { type: 'create', wanted: { uuid, ...fields }, at, actor })
}

const addContacts = async (background: Background, place: Endpoint, count: number): Promise<void> => {
  for (let done = 0; done < count; done += 200) {
    await Promise.all(
      Array.from({ length: Math.min(200, count - done) }, (_, index) => addContact(background, place, done + index)),
    )
  }
}

/** Creates contacts at a fixed rate, each of which is delivered at once. */
const latency = async (background: Background, place: Endpoint, sink: Sink, count: number, perSecond: number) => {
  const begun = performance.now()
  for (let sent = 0; sent < count; sent++) {
    await wait(Math.max(0, begun + (sent * 1000) / perSecond - performance.now()))
    void addContact(background, place, 10_000_000 + sent)
  }
  await wait(1000)
  const delays = await sink.delays()
  return { deliveries: delays.length, p50: quantile(delays, 0.5), p99: quantile(delays, 0.99) }
}

interface Memory {
  /** Private resident memory and live heap, in MiB. */
  readonly residentMib: number
  readonly heapMib: number
}

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void

const memory = (): Memory => {
  collectGarbage()
  const { anonymous, total } = residentMemory(process.pid)
  const heapMib = Math.round(process.memoryUsage().heapUsed / 2 ** 20)
  return { residentMib: Math.round(anonymous ?? total), heapMib }
}

/** Waits until everything is delivered. Measures the memory of this process at half of the deliveries and at the end. */
const drain = async (sink: Sink, target: number): Promise<{ readonly half: Memory; readonly end: Memory }> => {
  const until = async (count: number) => {
    while (sink.progress().deliveries < count) await wait(50)
  }
  await until(target / 2)
  const half = memory()
  await until(target)
  return { half, end: memory() }
}

const rounded = (value: number): number => Math.round(value * 100) / 100

const measure = async (flags: { readonly json?: boolean; readonly deliveries: string }): Promise<void> => {
  const count = Number(flags.deliveries)
  const data = await mkdtemp(path.join(tmpdir(), 'millrace-webhooks-'))
  const sink = await startSink()
  try {
    const filling = await start(data, false)
    const place = await makePlace(filling)
    await subscribe(filling, place, sink.port)
    await addContacts(filling, place, count)
    await filling.stop()

    const begunAt = performance.timeOrigin + performance.now()
    const cpuBefore = process.cpuUsage()
    const background = await start(data, true)
    const { half, end } = await drain(sink, count)
    const seconds = (sink.progress().lastAt - begunAt) / 1000
    const { user, system } = process.cpuUsage(cpuBefore)
    await wait(1000)
    await sink.delays()
    const soon = await latency(background, place, sink, 1000, 100)
    await background.stop()

    const finding = {
      deliveries: count,
      deliveries_per_second: Math.round(count / seconds),
      cpu_ms_per_delivery: rounded((user + system) / 1000 / count),
      commit_to_first_byte_ms: {
        p50: rounded(soon.p50),
        p99: rounded(soon.p99),
        deliveries: soon.deliveries,
        per_second: 100,
      },
      memory: { when_half_is_delivered: half, when_all_is_delivered: end },
    }
    process.stdout.write(flags.json ? `${JSON.stringify(finding)}\n` : `${JSON.stringify(finding, null, 2)}\n`)
  } finally {
    sink.stop()
    await rm(data, { recursive: true, force: true })
  }
}

await new Command('webhooks')
  .option('--json', 'print one line of JSON')
  .option('--deliveries <number>', 'how many are delivered from a backlog', '100000')
  .action(measure)
  .parseAsync()
process.exit(0)
