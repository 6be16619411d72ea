import path from 'node:path'
import { type Running, serve } from './child.ts'
import { MILLRACE } from './places.ts'

export interface ServiceReady {
  readonly api: string
  readonly workspace_id: number | null
  readonly api_key: string | null
}

interface ServiceOptions {
  readonly profile?: string | undefined
  readonly demo?: boolean
}

/**
 * The service as anyone starts it, on this data directory. Its limit of requests is out of reach but counted, and its log is
 * written to a file in the directory above.
 */
export const startService = (
  data: string,
  { profile, demo = false }: ServiceOptions = {},
): Promise<Running<ServiceReady>> =>
  serve<ServiceReady>(MILLRACE, {
    args: ['start', '--port', '0', '--data', data, '--json', ...(demo ? [] : ['--no-demo'])],
    env: { MILLRACE_RATE_LIMIT: '1000000000' },
    errors: path.join(path.dirname(data), 'service.log'),
    profile,
  })
