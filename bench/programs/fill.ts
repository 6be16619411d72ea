import { readConfig } from '../../infra/config.ts'
import { ensureDemo } from '../../infra/operator/demo.ts'
import { startBackground } from '../../infra/runtime/background.ts'
import { createCore } from '../../infra/runtime/core.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { openStores } from '../../infra/stores/open.ts'
import { fillWithContacts } from '../fill/contacts.ts'
import { fillWithHistory } from '../fill/history.ts'
import type { FillTarget } from '../fill/target.ts'

/**
 * Makes a data directory with a team, a workspace, contacts or a mixed history, and the read models. Takes the directory, `contacts` or
 * `history`, and the number of contacts or events; prints a `Filled`.
 */
export interface Filled {
  readonly workspaceId: number
  readonly token: string
  /** Ids of evenly spaced contacts, from the first to the last. */
  readonly sample: readonly number[]
  readonly events: number
  readonly seconds: { readonly appending: number; readonly building: number }
}

const SAMPLE = 2000
const PIPELINE_MS = 10_000

const [, , directory, kind, count] = process.argv
const config = readConfig({ MILLRACE_DATA: directory })

/** Creates the team and its workspace, which gets its pipeline from a policy. */
const found = async (): Promise<FillTarget & { readonly token: string }> => {
  const background = await startBackground(await openStores(config), createLogger('error'), (error) => {
    throw error
  })
  const { accounts, stores } = background
  const { workspaceId, apiKey } = await ensureDemo({ accounts, secrets: stores.secrets, isFilled: false })
  const { live } = stores.readModels
  const deadline = Date.now() + PIPELINE_MS
  while (Date.now() < deadline) {
    const [pipeline] = await live.find('sales/pipeline', { where: { workspace_id: workspaceId } })
    if (pipeline) {
      const stages = await live.find('sales/pipelines/stage', { where: { pipeline_id: pipeline.id } })
      await background.stop()
      const stageIds = stages.map(({ id }) => Number(id))
      return { workspaceId, teamId: Number(pipeline.team_id), stageIds, token: apiKey! }
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('the workspace did not get its pipeline')
}

const target = await found()
const stores = await openStores(config)
const core = await createCore(stores)
const started = performance.now()
const fill = kind === 'history' ? fillWithHistory : fillWithContacts
const ids = await fill(core, stores.log, target, Number(count))
const appending = (performance.now() - started) / 1000
const built = await core.rebuild()
const filled: Filled = {
  workspaceId: target.workspaceId,
  token: target.token,
  sample: Array.from({ length: Math.min(SAMPLE, ids.length) }, (_, i) => ids[Math.floor((i * ids.length) / SAMPLE)]!),
  events: built.events,
  seconds: { appending, building: built.events / built.eventsPerSecond },
}
const last = await stores.log.lastPosition()
// The followers of the log start after this history, as if a running service had produced it.
await stores.checkpoints.set('webhooks', last)
await stores.reactorStore.write([], last)
await stores.close()
process.stdout.write(`${JSON.stringify(filled)}\n`)
