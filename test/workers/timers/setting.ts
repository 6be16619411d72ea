import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { decider } from '../../../domain/kernel/decide/decider.ts'
import { type ActContext, rules } from '../../../domain/kernel/decide/rules.ts'
import { upcasterOf } from '../../../domain/kernel/decide/upcast.ts'
import { createEngine } from '../../../domain/kernel/engine/engine.ts'
import { workerActor } from '../../../domain/kernel/engine/transaction.ts'
import { managed } from '../../../domain/kernel/model/field.ts'
import { integer, moment, text } from '../../../domain/kernel/model/fields.ts'
import { model } from '../../../domain/kernel/model/model.ts'
import type { Document, Query } from '../../../domain/kernel/ports/read-models.ts'
import type { JsonObject, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { Refusal, refuse } from '../../../domain/kernel/values/refusal.ts'
import { workspace } from '../../../domain/resources/operations.ts'
import { serve } from '../../../domain/resources/serve.ts'
import { createProjection } from '../../../projections/projection.ts'
import { startProjector } from '../../../projections/projector.ts'
import type { Reactor } from '../../../workers/reactor/reactor.ts'
import { type TimerDeps, timerReaction } from '../../../workers/timers/reaction.ts'
import { Schedule, type ScheduleDeps } from '../../../workers/timers/schedule.ts'
import { naiveFind } from '../../infra/read-models/naive.ts'
import { MemoryReadModels } from '../../support/memory/read-models.ts'
import { ids, OpenVault } from '../../support/projection.ts'
import { openSetting, type ReactorSetting } from '../reactor/setting.ts'

/** A child of a bell that swings when it is due. */
const clapper = model('clapper', {
  stream: 'bell',
  owner: 'bell_id',
  attributes: { swings_at: moment({ nullable: true }), swung_at: managed(moment()) },
  events: {
    ClapperHung: { creates: true, except: ['swung_at'] },
    ClapperSwung: { constants: { swings_at: null }, stamps: 'swung_at' },
  },
  timers: { swing: { due: ({ swings_at }) => swings_at } },
})

/** A bell that rings when it is due: once, or according to its mood. */
const bell = model('bell', {
  attributes: {
    rings_at: moment({ nullable: true }),
    /** Milliseconds after which it rings again. */
    every: integer({ nullable: true }),
    mood: text({ default: 'good' }),
    rung: managed(integer({ default: 0 })),
  },
  events: {
    BellHung: { creates: true, except: ['rung'] },
    BellChanged: { changes: 'rest' },
    BellRung: {
      evolve: (_, { rings_at, rung }: { readonly rings_at: string | null; readonly rung: number }) => ({
        rings_at,
        rung,
      }),
    },
    BellCracked: { evolve: () => ({}) },
    BellTaken: { ends: true },
  },
  children: { clappers: { model: clapper, key: 'clapper_id' } },
  timers: { ring: { due: ({ rings_at }) => rings_at } },
})

const ring = ({ before }: ActContext<typeof bell>) => {
  const { mood, rings_at, every, rung } = before
  if (mood === 'broken') throw new Error('a bell that breaks whoever rings it')
  if (mood === 'refuses') return refuse.invalid('It does not want to ring')
  if (mood === 'deaf') return []
  if (mood === 'cracks') return [bell.event.BellCracked()]
  const next = every === null || rings_at === null ? null : new Date(Date.parse(rings_at) + every).toISOString()
  return [bell.event.BellRung({ rings_at: next, rung: rung + 1 })]
}

const swing = ({ id }: ActContext<typeof clapper>) => [bell.event.ClapperSwung({ clapper_id: id })]

const bells = decider(bell, {
  rules: rules(bell, { acts: { ring }, timers: { ring: 'ring' } }),
  children: [rules(clapper, { acts: { swing }, timers: { swing: 'swing' } })],
})

const clapperResource = serve(clapper, bells, {
  title: 'Clapper',
  root: 'clapper',
  category: 'contacts',
  under: { param: 'bell_id', resource: 'bell', field: 'bell_id' },
  operations: {},
})

const bellResource = serve(bell, bells, {
  title: 'Bell',
  root: 'bell',
  category: 'contacts',
  under: workspace,
  operations: {},
})

const resources = [bellResource, clapperResource]

/** Documents in memory with queries. */
class FoundReadModels extends MemoryReadModels {
  override find(collection: string, query: Query = { where: {} }): Document[] {
    return naiveFind(super.find(collection), query)
  }
}

export const BEGINNING = Date.parse('2026-03-01T09:00:00.000Z')
export const isoAt = (ms: number): string => new Date(BEGINNING + ms).toISOString()

const logger = pino({ level: 'silent' })

interface TimerProcess {
  readonly schedule: Schedule
  readonly reactor: Reactor
  stop(): Promise<void>
}

/** Starts a process that fires the timers. */
const startTimers = async (
  setting: ReactorSetting,
  deps: ScheduleDeps & Omit<TimerDeps, 'notes'>,
): Promise<TimerProcess> => {
  const schedule = new Schedule(deps)
  const reaction = timerReaction({ ...deps, notes: schedule })
  // Pauses before another attempt use the real clock, not the one that stands still.
  const reactor = await setting.start([reaction], { now: Date.now })
  schedule.start(reactor)
  return {
    schedule,
    reactor,
    async stop() {
      await schedule.stop()
      await reactor.stop()
    },
  }
}

type TransactDeps = Pick<TimerDeps, 'engine' | 'now' | 'seen'>

/** Returns a function that sends a command to a bell, or to one of its clappers, and waits until documents show it. */
const bellCommands =
  ({ engine, now, seen }: TransactDeps) =>
  async (type: string, id: number, wanted: JsonObject = {}, workspaceId = 7, clapperId = 0): Promise<void> => {
    const at = new Date(now(workspaceId)).toISOString()
    const target = clapperId > 0 ? { child: 'clappers', id: clapperId } : { id }
    const result = await engine.transact({
      aggregate: bells,
      id,
      command: { type, ...target, workspaceId, wanted, at, actor: workerActor('test') },
      workspaceId,
      causationId: 'c',
      correlationId: 'c',
    })
    if (result instanceof Refusal) throw result
    await seen(result)
  }

/** Timers of bells over a real log and engine, with a clock that moves only when told to. */
export const openTower = async () => {
  const setting = await openSetting()
  const { log, reactorStore } = setting
  const live = new FoundReadModels()
  const vault = new OpenVault()
  const upcast = upcasterOf([bells])
  const project = createProjection({ resources, vault, upcast, publicIds: ids })
  const onFailure = (error: unknown) => setting.failures.push(error)
  const projector = await startProjector({ log, live, project, onFailure })
  const engine = createEngine({ log, vault, read: live, upcast, newEventId: randomUUID })
  const { reached } = projector
  let time = BEGINNING
  const ahead = new Map<number, number>()
  const now = (workspaceId?: number) => time + (ahead.get(workspaceId ?? 0) ?? 0)
  const seen = async ({ position }: Pick<RecordedEvent, 'position'>) => void (await reached(position, 5000))
  const ownClocks = () => ahead.keys()
  const schedules: Schedule[] = []

  return {
    ...setting,
    engine,
    live,
    reached,
    now,
    /** Clock offsets of workspaces. */
    ahead,
    /** Sets the machine's clock to a number of milliseconds after the beginning. */
    moveTo(ms: number) {
      time = BEGINNING + ms
      for (const schedule of schedules) schedule.look()
    },
    /** Starts another process with these timers. Several may run at once. */
    async start(): Promise<TimerProcess> {
      const deps = { resources, engine, live, log, now, seen, ownClocks, logger, onFailure }
      const started = await startTimers(setting, deps)
      schedules.push(started.schedule)
      return started
    },
    ask: bellCommands({ engine, now, seen }),
    /** Times at which a bell rang. */
    async rings(id: number): Promise<readonly number[]> {
      const times: number[] = []
      for await (const { type, metadata } of log.readStream(`bell-${id}`))
        if (type === 'BellRung') times.push(Date.parse(metadata.at) - BEGINNING)
      return times
    },
    refusals: async () => (await reactorStore.refusals(7, 100)).map(({ reason }) => reason),
    async close() {
      for (const schedule of schedules) await schedule.stop()
      await projector.stop()
      await setting.cleanup()
    },
  }
}

export type Tower = Awaited<ReturnType<typeof openTower>>
