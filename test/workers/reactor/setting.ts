import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pino from 'pino'
import type { EventLog } from '../../../domain/kernel/ports/event-log.ts'
import type { ReactorStore } from '../../../domain/kernel/ports/reactor-store.ts'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { openSqliteLog, type SqliteStore } from '../../../infra/log-db/store.ts'
import { DONE, inStreams, type Reaction, type StreamReaction } from '../../../workers/reactor/reaction.ts'
import { Reactor } from '../../../workers/reactor/reactor.ts'
import type { ReactorDeps } from '../../../workers/reactor/reactor-deps.ts'
import { register } from '../../../workers/reactor/register.ts'
import { temporaryDirectory } from '../../infra/temporary-directory.ts'

/** A log with a reactor store, and reactors over it. */
export interface ReactorSetting {
  readonly log: EventLog
  readonly reactorStore: ReactorStore
  readonly failures: unknown[]
  /** Appends an event. @returns its position */
  happen(type: string, stream: string, data?: JsonObject, workspaceId?: number): Promise<number>
  start(reactions: readonly Reaction[], parts?: Partial<ReactorDeps>): Promise<Reactor>
  /** Ends a reactor without waiting for its running tasks, which may never finish. */
  abandon(reactor: Reactor): void
  cleanup(): Promise<void>
}

export const openSetting = async (): Promise<ReactorSetting> => {
  const { path, remove } = temporaryDirectory()
  const store: SqliteStore = await openSqliteLog(path)
  const { log, reactorStore, checkpoints } = store
  const failures: unknown[] = []
  const running = new Set<Reactor>()
  return {
    log,
    reactorStore,
    failures,
    async happen(type, stream, data = {}, workspaceId = 1) {
      const id = randomUUID()
      const metadata = {
        at: '2026-02-03T04:05:06.789Z',
        actor: 'system',
        $correlationId: id,
        $causationId: id,
        workspace_id: workspaceId,
      }
      const appended = await log.append({ stream, expected: 'any', events: [{ id, type, data, metadata }] })
      if (!appended.ok) throw new Error('a conflict')
      return appended.position
    },
    async start(reactions, parts = {}) {
      const all: ReactorDeps = {
        log,
        reactorStore,
        now: Date.now,
        logger: pino({ level: 'silent' }),
        onFailure: (error) => failures.push(error),
        pause: () => 5,
        ...parts,
      }
      const enrolled = await register({ reactorStore, checkpoints, log }, reactions)
      const reactor = new Reactor(all, reactions, enrolled)
      await reactor.start()
      running.add(reactor)
      return reactor
    },
    abandon(reactor) {
      running.delete(reactor)
      void reactor.stop()
    },
    async cleanup() {
      for (const reactor of running) await reactor.stop()
      await log.close()
      remove()
    },
  }
}

/** Gives each test of a suite a new setting. Nothing may have failed on it when the test ends. */
export const settingOfEach = (): (() => ReactorSetting) => {
  let setting: ReactorSetting
  beforeEach(async () => {
    setting = await openSetting()
  })
  afterEach(async () => {
    await setting.cleanup()
    expect(setting.failures).to.deep.equal([])
  })
  return () => setting
}

/** A reaction, with defaults for all properties that a test leaves out. */
export const reaction = (given: Partial<StreamReaction> & Pick<StreamReaction, 'react'>): Reaction =>
  inStreams({
    name: 'tested',
    on: [{ type: 'Happened' }],
    group: ({ metadata }) => `tested:${metadata.workspace_id}`,
    width: 4,
    maxAttempts: 3,
    ...given,
  })

/** A reaction that records its events and does nothing else. */
export const noting = (into: unknown[], given: Partial<StreamReaction> = {}): Reaction =>
  reaction({
    async react({ data }) {
      into.push(data.n)
      return DONE
    },
    ...given,
  })

/** Resolves when a condition holds. @throws {Error} when it does not in time */
export const soon = async (holds: () => boolean | Promise<boolean>, withinMs = 5000): Promise<void> => {
  const until = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > until) throw new Error('it did not come to hold in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
