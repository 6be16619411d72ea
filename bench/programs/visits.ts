import { randomBytes, randomUUID } from 'node:crypto'
import type { RecordCommand } from '../../domain/kernel/decide/rules.ts'
import type { DomainEvent, JsonObject, NewEvent } from '../../domain/kernel/values/event.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../domain/kernel/values/stream-name.ts'
import { sessions } from '../../domain/visits/public.ts'
import { readConfig } from '../../infra/config.ts'
import { createCore } from '../../infra/runtime/core.ts'
import { openStores } from '../../infra/stores/open.ts'
import { BENCHMARK } from '../people.ts'

/**
 * Adds visits of a funnel over the last thirty days to a data directory, and builds the read models. Takes the directory, the number of views, and the
 * team, the workspace, the funnel and its steps as JSON. Prints a `Visited`.
 */
export interface Visited {
  readonly views: number
  readonly seconds: { readonly appending: number; readonly building: number }
}

export interface Visiting {
  readonly teamId: number
  readonly workspaceId: number
  readonly funnelId: number
  readonly steps: readonly { readonly stepId: number; readonly pageId: number }[]
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Sessions that are written at once. */
const TOGETHER = 2000

const [, , directory, count, visiting] = process.argv
const { teamId, workspaceId, funnelId, steps } = JSON.parse(visiting ?? '') as Visiting
const stores = await openStores(readConfig({ ...process.env, MILLRACE_DATA: directory }))
const core = await createCore(stores)
const now = Date.now()
const hit = () => randomBytes(16).toString('base64url')

let views = 0
const viewOf = ({ stepId, pageId }: Visiting['steps'][number], at: number) => {
  views += 1
  return {
    ...{ hit: hit(), load: hit(), number: 1, page_id: pageId, funnel_id: funnelId, show_page_step_id: stepId },
    ...{ live_mode: true, bot: false, consent: true, viewed_at: new Date(at).toISOString() },
  }
}

/** Returns an event as it is in the log. Nothing of these visitors is personal. */
const recorded = ({ type, data: { personal: _, ...data } }: DomainEvent, at: string): NewEvent => ({
  ...{ id: randomUUID(), type, data },
  metadata: {
    ...{ at, actor: BENCHMARK.label, $correlationId: 'benchmark', $causationId: 'benchmark' },
    ...{ team_id: teamId, workspace_id: workspaceId },
  },
})

/** A session whose commands are decided one after the other, and whose events are appended at once: engine and vault would take most of the time. */
const sessionOf = (id: number) => {
  const stream = streamOf(sessions, id)
  const events: NewEvent[] = []
  let state = sessions.initial
  return {
    act(type: string, wanted: JsonObject, at: string) {
      const command: RecordCommand = { type, id, wanted, actor: BENCHMARK, at, workspaceId }
      const decision = sessions.decide(state, command, undefined)
      if (decision instanceof Refusal) throw decision
      const made = decision.map((event) => recorded(event, at))
      const placed = made.map((event, index) => ({ ...event, stream, revision: events.length + index }))
      state = sessions.fold(state, placed)
      events.push(...made)
    },
    append: () =>
      stores.log.append({
        ...{ stream, expected: -1, events, take: [], release: [], repeatable: false, numbers: [] },
      }),
  }
}

/** A visitor looks at some of the steps one after the other, and now and then at one of them again. */
const visit = async (): Promise<void> => {
  const id = core.ids.next('visits/session')
  const session = sessionOf(id)
  // The log is in the order of time, as it would be.
  let at = now - 30 * DAY + Math.floor(Math.min(1, views / Number(count)) * 30 * DAY)
  const time = () => new Date(at).toISOString()
  for (const [index, step] of steps.slice(0, 1 + Math.floor(Math.random() * steps.length)).entries()) {
    const view = viewOf(step, at)
    const { page_id, funnel_id, show_page_step_id, live_mode, consent, bot } = view
    const began = { page_id, funnel_id, show_page_step_id, live_mode, consent, bot, uuid: randomUUID(), view }
    if (index === 0) session.act('begin', began, time())
    else session.act('view', { view }, time())
    at += Math.floor(Math.random() * 5 * MINUTE)
    if (Math.random() < 0.33) session.act('view', { view: viewOf(step, at) }, time())
  }
  await session.append()
}

const started = performance.now()
while (views < Number(count)) {
  const left = Math.ceil((Number(count) - views) / steps.length)
  await Promise.all(Array.from({ length: Math.max(1, Math.min(TOGETHER, left)) }, visit))
}
const appending = (performance.now() - started) / 1000
const built = await core.rebuild()
const last = await stores.log.lastPosition()
// The followers of the log start after these visits, as if a running service had counted them.
await stores.reactorStore.write([], last)
await stores.close()
const visited: Visited = { views, seconds: { appending, building: built.events / built.eventsPerSecond } }
process.stdout.write(`${JSON.stringify(visited)}\n`)
