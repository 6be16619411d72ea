import type { Logger } from 'pino'
import type { RequestMetrics } from '../../api/http/observe.ts'
import { createPublic } from '../../api/public/app.ts'
import type { Config } from '../config.ts'
import type { Background } from './background.ts'
import { type Listening, listen } from './listening.ts'

interface Watching {
  readonly logger: Logger
  readonly metrics: RequestMetrics
}

/** What listens on all addresses of this machine is reached at one of them. */
const reachable = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//localhost:')

/** Serves what people reach without a token. Links begin with where it listens, unless the configuration says otherwise. @throws {Error} when the address is taken */
export const startPublic = async (
  { core, stores, shelf }: Background,
  { host, publicPort, publicUrl, proxies }: Config,
  { logger, metrics }: Watching,
): Promise<Listening> => {
  const { vault, blobs, readModels, log, publicIds } = stores
  const app = createPublic(
    { ...core, live: readModels.live, vault, blobs, log, publicIds, logger, shelf },
    { metrics, proxies },
  )
  const listening = await listen(app.callback(), { host, port: publicPort, setting: 'MILLRACE_PUBLIC_PORT' })
  if (publicUrl === undefined) core.links.answersAt(reachable(listening.url))
  return listening
}
