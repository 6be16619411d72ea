import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isPassing } from '../retry-while-unavailable.ts'
import { type AdvanceDeps, advance } from './advance.ts'

export interface Advancing {
  /** Stops between two steps. Advancing continues at the next start. */
  stop(): Promise<void>
}

const AGAIN_MS = 1000

/** Advances the clocks of test workspaces that have a target, all workspaces at once. */
export const startAdvancing = (deps: AdvanceDeps & { readonly logger: Logger }): Advancing => {
  const { clocks, logger } = deps
  const running = new Map<number, Promise<void>>()
  let stopped = false
  const isOver = () => stopped
  const run = async (workspaceId: number): Promise<void> => {
    while (!stopped) {
      try {
        return await advance(deps, workspaceId, isOver)
      } catch (error) {
        const about = { err: error, workspace_id: workspaceId }
        if (isPassing(error))
          logger.warn(about, 'a store cannot be used for now; advancing the clock will be tried again')
        else logger.error(about, 'the clock of a workspace could not be advanced; it will be tried again')
        await sleep(AGAIN_MS)
      }
    }
  }
  const begin = (id: number): void => {
    if (stopped || running.has(id)) return
    const onEnd = () => {
      running.delete(id)
      // The clock may have been given a new target at the last moment.
      if (clocks.of(id)?.state === 'advancing') begin(id)
    }
    running.set(id, run(id).finally(onEnd))
  }
  const removeListener = clocks.onSent(begin)
  return {
    async stop() {
      stopped = true
      removeListener()
      await Promise.all(running.values())
    },
  }
}
