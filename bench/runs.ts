import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { appliedTag } from '../domain/contacts/contact/model.ts'
import { contacts } from '../domain/contacts/public.ts'
import { contactTag } from '../domain/contacts/tag.ts'
import { type Ask, ask, instanceOf, stampCommand, within } from '../domain/kernel/decide/ask.ts'
import type { RecordedEvent } from '../domain/kernel/values/event.ts'
import { mintFrom, withIds } from '../domain/kernel/values/ids.ts'
import { Refusal } from '../domain/kernel/values/refusal.ts'
import { run } from '../domain/workflows/run/model.ts'
import { runs } from '../domain/workflows/run/rules.ts'
import { step, trigger, version } from '../domain/workflows/workflow/model.ts'
import { workflows } from '../domain/workflows/workflow/rules.ts'
import { readConfig } from '../infra/config.ts'
import { outboundClient } from '../infra/outbound/client.ts'
import { type Background, startBackground } from '../infra/runtime/background.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { openStores } from '../infra/stores/open.ts'
import { residentMemory } from './memory.ts'
import { quantile } from './statistics.ts'

/** Measures runs of workflows: transitions per second, the delay from an event to the first step, and what runs cost that wait. */

const actor = { label: 'bench' }
const STEPS = 10
const AT_ONCE = 200
/** Other events for each that is an entry. */
const BESIDE = 7
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const rounded = (value: number): number => Math.round(value * 10) / 10

const start = async (data: string, working: boolean): Promise<Background> => {
  const config = readConfig({ MILLRACE_DATA: data })
  const die = (error: unknown) => {
    throw error
  }
  const roles = working ? config.roles : (['projector'] as const)
  const outbound = outboundClient({ allowPrivate: true })
  return startBackground(await openStores(config), createLogger('warn'), die, roles, outbound)
}

/** A workspace in which commands are carried out. */
class Bench {
  readonly #background: Background
  readonly #place: { readonly teamId: number; readonly workspaceId: number }

  constructor(background: Background, place: { readonly teamId: number; readonly workspaceId: number }) {
    this.#background = background
    this.#place = place
  }

  async carryOut(asked: Ask): Promise<number> {
    const { engine, ids } = this.#background.core
    const { id, isNew } = await withIds(ids, () => instanceOf(asked, mintFrom(ids)))
    const { workspaceId } = this.#place
    const causes = { causationId: 'bench', correlationId: 'bench' }
    const stamped = stampCommand(asked, { at: new Date().toISOString(), actor }, id)
    const result = await engine.transact({ ...stamped, ...this.#place, ...causes, isNew })
    if (result instanceof Refusal) throw new Error(`${workspaceId}: ${result.message}`)
    return id
  }

  async mint(of: { readonly name: string }): Promise<number> {
    const { ids } = this.#background.core
    return withIds(ids, () => ids.next(of.name))
  }

  async caughtUp(): Promise<void> {
    await this.#background.reached(await this.#background.stores.log.lastPosition(), 600_000)
  }

  async contact(number: number): Promise<number> {
    const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
    return this.carryOut(ask(contacts, 'new', 'create', { uuid, email_address: `p${number}@example.com` } as object))
  }

  /** Makes a workflow that a tag starts, and enables it. */
  async workflow(tag: number, settings: readonly object[]): Promise<number> {
    const id = await this.carryOut(ask(workflows, 'new', 'create', { name: 'Bench' }))
    const awaited = { event_type_key: '$contact.tag_applied', named: { contacts_tag_id: { id: tag, sent: '' } } }
    await this.carryOut(ask(within(workflows, id, trigger), await this.mint(trigger), 'create', awaited as object))
    for (const one of settings)
      await this.carryOut(ask(within(workflows, id, step), await this.mint(step), 'create', one as object))
    await this.carryOut(ask(workflows, id, 'enable', {}, { ids: [await this.mint(version)] }))
    return id
  }

  async tag(contact: number, tag: number): Promise<void> {
    await this.carryOut(ask(contacts, contact, 'tag', { tag_ids: [tag] }, { ids: [await this.mint(appliedTag)] }))
  }
}

const makingTag = (name: string): Ask => ({
  ...{ aggregate: contactTag.aggregate, id: 'new' },
  command: { type: 'create', wanted: { name, color: '#123456' } },
})

const inTurns = async (count: number, work: (index: number) => Promise<unknown>): Promise<void> => {
  for (let done = 0; done < count; done += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, index) => work(done + index)))
}

/** Resolves with the event when it is the nth of its type after a position. */
const nth = (
  background: Background,
  type: string,
  after: number,
  count: number,
  note?: (event: RecordedEvent) => void,
) =>
  new Promise<void>((resolve) => {
    let seen = 0
    const subscription = background.stores.log.subscribe(
      (batch) => {
        for (const event of batch) {
          if (event.type !== type) continue
          note?.(event)
          if (++seen === count) {
            resolve()
            void subscription.close()
          }
        }
      },
      { after },
    )
  })

const tagging = (index: number, tag: number) => ({
  type: 'contact_tag_step',
  sent: { action: index % 2 ? 'Remove Tags' : 'Add Tags', contacts_tag_ids: [{ id: tag, sent: '' }] },
})

/** Tags contacts at a fixed rate, each of whom enters a workflow. @returns milliseconds from each event to the record of the first step */
const latency = async (
  background: Background,
  bench: Bench,
  { ids, tag, perSecond }: { readonly ids: readonly number[]; readonly tag: number; readonly perSecond: number },
): Promise<readonly number[]> => {
  const sent = new Map<number, number>()
  const tagged = new Map<string, number>()
  const delays: number[] = []
  const after = await background.stores.log.lastPosition()
  const started = nth(background, run.event.RunStarted.type, after, ids.length, ({ data, stream }) => {
    tagged.set(stream, sent.get(Number(data.contact_id)) ?? 0)
  })
  const stepped = nth(background, run.event.RunStepPassed.type, after, ids.length, ({ stream }) => {
    const begun = tagged.get(stream)
    if (begun !== undefined) delays.push(performance.now() - begun)
  })
  const begun = performance.now()
  for (const [index, id] of ids.entries()) {
    await wait(Math.max(0, begun + (index * 1000) / perSecond - performance.now()))
    // Most events are no entries.
    for (let other = 0; other < BESIDE; other++) void bench.contact(1_000_000 + BESIDE * index + other)
    sent.set(id, performance.now())
    void bench.tag(id, tag)
  }
  await Promise.all([started, stepped])
  return delays
}

/** CPU that the process takes while nothing is asked of it, in percent of one processor. */
const idle = async (): Promise<number> => {
  const before = process.cpuUsage()
  await wait(10_000)
  const { user, system } = process.cpuUsage(before)
  return ((user + system) / 1000 / 10_000) * 100
}

/** Starts a run for each contact, and lets all of them wait. */
const letWait = async (background: Background, bench: Bench, workflow_id: number, people: readonly number[]) => {
  const end = await background.stores.log.lastPosition()
  const paused = nth(background, run.event.RunPaused.type, end, people.length)
  await inTurns(people.length, (index) =>
    bench.carryOut(ask(runs, 'new', 'create', { workflow_id, contact_id: people[index]! })),
  )
  await paused
  await bench.caughtUp()
  await wait(10_000)
}

interface Flags {
  readonly json?: boolean
  readonly runs: string
  readonly waiting: string
}

const measure = async (flags: Flags): Promise<void> => {
  const [count, waiting] = [Number(flags.runs), Number(flags.waiting)]
  const data = await mkdtemp(path.join(tmpdir(), 'millrace-runs-'))
  try {
    const filling = await start(data, false)
    const owner = { email: 'bench@example.com', firstName: 'Bench', lastName: 'Mark' }
    const teamId = await filling.accounts.foundTeam({ name: 'Bench', owner })
    const opened = { name: 'Bench', subdomain: 'bench', currency: 'USD' }
    const place = { teamId, workspaceId: await filling.accounts.openWorkspace(teamId, opened) }
    const filler = new Bench(filling, place)
    const tags = await Promise.all(['by', 'done', 'wait', 'enter'].map((name) => filler.carryOut(makingTag(name))))
    const [by = 0, done = 0, waits = 0, enters = 0] = tags
    const people: number[] = []
    await inTurns(Math.max(count, waiting) + 2000, async (index) => people.push(await filler.contact(index)))
    await filler.caughtUp()
    const stepping = await filler.workflow(
      by,
      Array.from({ length: STEPS }, (_, index) => tagging(index, done)),
    )
    await filler.workflow(enters, [tagging(0, done)])
    const resting = await filler.workflow(waits, [{ type: 'delay_step', sent: { duration: 1, interval: 'years' } }])
    await filler.caughtUp()
    const enrol = (workflow_id: number) => (index: number) =>
      filler.carryOut(ask(runs, 'new', 'create', { workflow_id, contact_id: people[index]! }))
    await inTurns(count, enrol(stepping))
    const after = await filling.stores.log.lastPosition()
    await filling.stop()

    const background = await start(data, true)
    const bench = new Bench(background, place)
    const begun = performance.now()
    const cpuBefore = process.cpuUsage()
    await nth(background, run.event.RunStepPassed.type, after, count * STEPS)
    const seconds = (performance.now() - begun) / 1000
    const { user, system } = process.cpuUsage(cpuBefore)
    await bench.caughtUp()
    // What follows from those runs would be measured with the next ones.
    while ((background.reacted ?? 0) < (await background.stores.log.lastPosition())) await wait(50)
    const ids = people.slice(-500)
    const delays = await latency(background, bench, { ids, tag: enters, perSecond: 25 })
    const idleBefore = await idle()
    await letWait(background, bench, resting, people.slice(0, waiting))
    const finding = {
      transitions: count * STEPS,
      transitions_per_second: Math.round((count * STEPS) / seconds),
      cpu_ms_per_transition: rounded((user + system) / 1000 / (count * STEPS)),
      event_to_first_step_ms: {
        p50: rounded(quantile(delays, 0.5)),
        p99: rounded(quantile(delays, 0.99)),
        events: delays.length,
      },
      waiting: {
        runs: waiting,
        idle_cpu_percent: rounded(await idle()),
        idle_cpu_percent_before: rounded(idleBefore),
        resident_mib: Math.round(residentMemory(process.pid).total),
      },
    }
    await background.stop()
    process.stdout.write(flags.json ? `${JSON.stringify(finding)}\n` : `${JSON.stringify(finding, null, 2)}\n`)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

await new Command('runs')
  .option('--json', 'print one line of JSON')
  .option('--runs <number>', 'how many runs go through ten steps each', '3000')
  .option('--waiting <number>', 'how many runs wait', '50000')
  .action(measure)
  .parseAsync()
process.exit(0)
