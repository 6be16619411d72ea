import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { freePort } from '../../support/free-port.ts'
import type { Ready } from '../../support/millrace.ts'

const SOURCE = path.join(import.meta.dirname, '../../../../examples/funnel-html')

/** The example of a funnel whose pages are hosted elsewhere, as its README starts it. */
export interface Example {
  readonly url: string
  readonly funnelId: number
  stop(): Promise<void>
}

export const startExample = async ({ origin, api_key, workspace_id, sdk }: Ready): Promise<Example> => {
  const directory = await mkdtemp(path.join(tmpdir(), 'millrace-example-'))
  await cp(SOURCE, directory, { recursive: true })
  const port = await freePort()
  const url = `http://localhost:${port}`
  const env = {
    ...process.env,
    MILLRACE_API: `${origin}/api/v2`,
    MILLRACE_KEY: api_key ?? '',
    MILLRACE_WORKSPACE: String(workspace_id),
    MILLRACE_SDK: sdk,
    PAGES_URL: url,
  }
  await promisify(execFile)(process.execPath, [path.join(directory, 'setup.mjs')], { env })
  const noted = JSON.parse(await readFile(path.join(directory, 'pages.json'), 'utf8')) as { readonly funnel_id: number }
  const child = spawn(process.execPath, [path.join(directory, 'serve.mjs')], {
    env: { ...process.env, PORT: String(port) },
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
