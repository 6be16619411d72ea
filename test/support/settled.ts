import type { TestService } from './service.ts'

const SETTLED_WITHIN_MS = 100_000

/** Waits until all consequences of the events so far have been carried out. */
export const waitUntilSettled = async ({ background }: Pick<TestService, 'background'>): Promise<void> => {
  const { log } = background.stores
  for (const started = Date.now(); Date.now() - started < SETTLED_WITHIN_MS; ) {
    const last = await log.lastPosition()
    if (background.position === last && background.reacted === last) return
    await new Promise((go) => setTimeout(go, 10))
  }
  throw new Error('projector or policies do not follow the log')
}
