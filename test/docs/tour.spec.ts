import { execFile, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { furnishDemo } from '../../infra/operator/demo-shop.ts'
import { commandsIn, hasPrinted, type Shown } from '../support/console.ts'
import { MILLRACE, type Spawned, spawnMillrace, withoutSettings } from '../support/millrace.ts'
import { type RequestChecker, requestChecker } from '../support/openapi.ts'
import { testService } from '../support/service.ts'

const README = readFileSync(path.join(import.meta.dirname, '../../../README.md'), 'utf8')
const TOOLS = ['bash', 'curl', 'jq', 'sqlite3']
const PATIENCE_MS = 20_000

const commands = commandsIn(README).filter(({ command }) => command !== 'npm start')
const missing = TOOLS.filter((tool) => spawnSync(tool, ['--version']).error)

/** Body of the request that a command of curl sends, with its method and path; `undefined` when it sends none. */
const sentBy = ({ command }: Shown) => {
  const [, body] = / -d '([^']*)'/.exec(command) ?? []
  const [, sentTo = ''] = /\$A(\/[^\s"]*)/.exec(command) ?? []
  const [, method = 'POST'] = / -X (\w+)/.exec(command) ?? []
  return body === undefined ? undefined : { method, path: sentTo.replace('$W', '1'), body: JSON.parse(body) as unknown }
}

const documentAt = async (origin: string): Promise<object> =>
  (await (await fetch(`${origin}/api/v2.json`)).json()) as object

describe('the tour of the README', function () {
  this.timeout(120_000)
  let folder: string
  let service: Spawned | undefined
  let check: RequestChecker
  /** The time just before the change that the tour looks back over. */
  let lookingBack = ''

  before(async function () {
    if (missing.length > 0) {
      console.log(`      skipped: ${missing.join(', ')} are not installed`)
      return this.skip()
    }
    folder = await mkdtemp(path.join(tmpdir(), 'millrace-tour-'))
    service = await spawnMillrace(path.join(folder, 'data'), { MILLRACE_DEMO: '1' })
    check = requestChecker(await documentAt(service.ready.origin))
    const until = Date.now() + PATIENCE_MS
    while (!(await isFurnished()) && Date.now() < until) await new Promise((go) => setTimeout(go, 50))
  })
  after(async () => {
    await service?.stop()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  /** Whether the demo has come to its end, which a reader does not get ahead of. */
  const isFurnished = async (): Promise<boolean> => {
    const { origin, api_key } = service!.ready
    const headers = { authorization: `Bearer ${api_key}` }
    const response = await fetch(`${origin}/api/v2/funnels/1/checkout`, { headers })
    return response.ok && ((await response.json()) as { readonly enabled: boolean }).enabled
  }

  /** Runs a command as a reader would, in the folder of the service, with the variables of the tour. */
  const run = (command: string): Promise<string> => {
    const { origin, api_key } = service!.ready
    const variables = {
      ...{ A: `${origin}/api/v2`, W: '1', H: `Authorization: Bearer ${api_key}`, J: 'Content-Type: application/json' },
      MILLRACE_LOG_LEVEL: 'silent',
    }
    const npx = `npx() { shift; "${process.execPath}" "${MILLRACE}" "$@"; }`
    const tomorrow = new Date(Date.now() + 25 * 60 * 60_000).toISOString()
    const text = command.replace(/as_of=[^"]*/, `as_of=${lookingBack}`).replace(/--to \S+/, `--to ${tomorrow}`)
    return new Promise((resolve) => {
      const env = { ...withoutSettings(), ...variables }
      execFile('bash', ['-c', `${npx}\n${text}`], { cwd: folder, env }, (_error, out) => resolve(out))
    })
  }

  for (const shown of commands)
    it(shown.command.split('\n')[0]!.slice(0, 100), async () => {
      const sent = sentBy(shown)
      if (sent) expect(check(sent.method, sent.path, sent.body)).to.equal(undefined)
      if (sent?.method === 'PATCH') lookingBack = new Date().toISOString()
      const until = Date.now() + PATIENCE_MS
      let out = await run(shown.command)
      // What is done in the background is not there at once for a reader either.
      const repeats = !sent && !shown.command.includes(' -X ')
      while (repeats && !hasPrinted(shown.prints, out) && Date.now() < until) out = await run(shown.command)
      if (shown.prints !== '') expect(hasPrinted(shown.prints, out), `${shown.prints}\n\n${out}`).to.equal(true)
    })
})

describe('the demo', () => {
  it('sends no field that there is not', async () => {
    const { url, tenant } = await testService()
    const { workspaceId, token } = await tenant()
    const check = requestChecker(await documentAt(url))
    const api = `${url}/api/v2`
    const real = globalThis.fetch
    const wrong: (string | undefined)[] = []
    globalThis.fetch = (input, init) => {
      if (init?.body)
        wrong.push(check(init.method ?? 'GET', String(input).slice(api.length), JSON.parse(String(init.body))))
      return real(input, init)
    }
    try {
      await furnishDemo({ api, workspaceId, apiKey: token, requestId: randomUUID(), sharesSender: true })
    } finally {
      globalThis.fetch = real
    }
    expect(wrong.length).to.be.greaterThan(5)
    expect(wrong.filter((one) => one !== undefined)).to.deep.equal([])
  })
})
