import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { freePort } from '../../support/free-port.ts'
import type { Ready } from '../../support/millrace.ts'

const EXAMPLES = path.join(import.meta.dirname, '../../../../examples')

/** An example of a funnel whose pages are hosted elsewhere, as its README starts it. */
export interface Example {
  readonly url: string
  readonly funnelId: number
  stop(): Promise<void>
}

export const startExample = async (
  { origin, api_key, workspace_id, sdk }: Ready,
  name: 'funnel-html' | 'funnel-react' = 'funnel-html',
): Promise<Example> => {
  const directory = await mkdtemp(path.join(tmpdir(), 'millrace-example-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const env = {
    ...process.env,
    MILLRACE_API: `${origin}/api/v2`,
    MILLRACE_KEY: api_key ?? '',
    MILLRACE_WORKSPACE: String(workspace_id),
    MILLRACE_SDK: sdk,
    PAGES_URL: url,
    PAGES_FILE: path.join(directory, 'pages.json'),
    PORT: String(port),
  }
  await promisify(execFile)(process.execPath, [path.join(EXAMPLES, name, 'setup.mjs')], { env })
  const noted = JSON.parse(await readFile(env.PAGES_FILE, 'utf8')) as { readonly funnel_id: number }
  const child = spawn(process.execPath, [path.join(EXAMPLES, name, 'serve.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(createInterface(child.stdout), 'line')
  return {
    url,
    funnelId: noted.funnel_id,
    async stop() {
      child.kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
