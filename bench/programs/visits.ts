import { randomBytes, randomUUID } from 'node:crypto'
import type { RecordCommand } from '../../domain/kernel/decide/rules.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { sessions } from '../../domain/visits/public.ts'
import { readConfig } from '../../infra/config.ts'
import { createCore } from '../../infra/runtime/core.ts'
import { openStores } from '../../infra/runtime/stores.ts'
import { actor } from '../fill/target.ts'
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
const act = actor(core, { teamId, workspaceId, stageIds: [] })
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

/** A visitor looks at some of the steps one after the other, and now and then at one of them again. */
const visit = async (): Promise<void> => {
  const id = core.ids.next('visits/session')
  // The log is in the order of time, as it would be.
  let at = now - 30 * DAY + Math.floor(Math.min(1, views / Number(count)) * 30 * DAY)
  const command = (type: string, wanted: JsonObject): RecordCommand => ({
    ...{ type, id, wanted, actor: BENCHMARK },
    at: new Date(at).toISOString(),
  })
  for (const [index, step] of steps.slice(0, 1 + Math.floor(Math.random() * steps.length)).entries()) {
    const view = viewOf(step, at)
    const { page_id, funnel_id, show_page_step_id, live_mode, consent, bot } = view
    const began = { page_id, funnel_id, show_page_step_id, live_mode, consent, bot, uuid: randomUUID(), view }
    if (index === 0) await act(sessions, id, command('begin', began), true)
    else await act(sessions, id, command('view', { view }), false)
    at += Math.floor(Math.random() * 5 * MINUTE)
    if (Math.random() < 0.33) await act(sessions, id, command('view', { view: viewOf(step, at) }), false)
  }
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
