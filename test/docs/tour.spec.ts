import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { furnishDemo } from '../../infra/operator/demo-shop.ts'
import { machineClock } from '../reliability/kills/machine-clock.ts'
import { commandsIn, hasPrinted, type Shell, type Shown, shell } from '../support/console.ts'
import { MILLRACE, withoutSettings } from '../support/millrace.ts'
import { type RequestChecker, requestChecker } from '../support/openapi.ts'
import { testService } from '../support/service.ts'

const README = readFileSync(path.join(import.meta.dirname, '../../../README.md'), 'utf8')
const TOUR = README.slice(README.indexOf('\n## A tour'), README.indexOf('\n## The command line'))
const TOOLS = ['bash', 'curl', 'jq', 'sqlite3']

const [start, ...commands] = commandsIn(TOUR)
/** The variables of the tour, as a reader copies them. */
const [, variables = ''] = /^```sh\n(.*?)^```/ms.exec(TOUR) ?? []
/** What a visitor has done in a browser is counted by the suite that does it. */
const inShell = commands.filter(({ command }) => !command.includes(' stats '))
const missing = TOOLS.filter((tool) => spawnSync(tool, ['--version']).error)

/** Today, an evening before a leap day, and the last minutes of a year. */
const DATES = [undefined, '2028-02-28T23:58:00Z', '2031-12-31T23:58:00Z']

/** What a start prints that is another at each: ports, the folder, links and keys. */
const ofThisStart = (text: string): string =>
  text
    .replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT')
    .replace(/^( +Data +).*$/m, '$1FOLDER')
    .replace(/\/in\/\S+/, '/in/LINK')
    .replace(/mr_\S+/, 'KEY')

/** Body of the request that a command of curl sends, with its method and path; `undefined` when it sends none. */
const sentBy = ({ command }: Shown) => {
  const [, body] = / -d '([^']*)'/.exec(command) ?? []
  const [, sentTo = ''] = /\$A(\/[^\s"]*)/.exec(command) ?? []
  const [, method = 'POST'] = / -X (\w+)/.exec(command) ?? []
  return body === undefined ? undefined : { method, path: sentTo.replace('$W', '1'), body: JSON.parse(body) as unknown }
}

const documentAt = async (origin: string): Promise<object> =>
  (await (await fetch(`${origin}/api/v2.json`)).json()) as object

/** Starts the service as `npm start` does. @returns what it prints up to the end of what the tour shows */
const startService = async (folder: string, settings: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [MILLRACE, 'start', '--port', '0'], {
    cwd: folder,
    env: { ...withoutSettings(), MILLRACE_LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let banner = ''
  for await (const piece of child.stdout) {
    banner += String(piece)
    if (banner.includes('Try it:')) break
  }
  return { child, banner }
}

const stop = (child: ChildProcess | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (!child || child.exitCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill()
  })

it('shows every command of the tour that a reader gives', () => {
  expect(start?.command).to.equal('npm start')
  expect(commands.length - inShell.length).to.equal(1)
  expect(inShell.length).to.be.greaterThan(20)
})

for (const date of DATES)
  describe(`the tour of the README, ${date ?? 'today'}`, () => {
    let folder: string
    let service: ChildProcess | undefined
    let banner = ''
    let reader: Shell | undefined
    let check: RequestChecker

    before(async function () {
      if (missing.length > 0) {
        console.log(`      skipped: ${missing.join(', ')} are not installed`)
        return this.skip()
      }
      folder = await mkdtemp(path.join(tmpdir(), 'millrace-tour-'))
      const clock = machineClock(folder)
      if (date !== undefined) clock.forward(Date.parse(date) - Date.now())
      ;({ child: service, banner } = await startService(folder, date === undefined ? {} : clock.settings))
      const [api = ''] = /http:\S+\/api\/v2/.exec(banner) ?? []
      const [key = ''] = /mr_\S+/.exec(banner) ?? []
      check = requestChecker(await documentAt(new URL(api).origin))
      reader = shell(folder, { ...withoutSettings(), MILLRACE_LOG_LEVEL: 'silent' })
      await reader.run(`npx() { shift; "${process.execPath}" "${MILLRACE}" "$@"; }`)
      await reader.run(variables.replace(/^A=.*$/m, `A=${api}`).replace(/mr_[^']*/, key))
    })
    after(async () => {
      reader?.end()
      await stop(service)
      if (folder) await rm(folder, { recursive: true, force: true })
    })

    it('npm start', () => {
      expect(hasPrinted(ofThisStart(start!.prints), ofThisStart(banner)), banner).to.equal(true)
    })

    for (const shown of inShell)
      it(shown.command.split('\n')[0]!.slice(0, 100), async () => {
        const sent = sentBy(shown)
        if (sent) expect(check(sent.method, sent.path, sent.body)).to.equal(undefined)
        const out = await reader!.run(shown.command)
        expect(hasPrinted(shown.prints, out), `${shown.prints}\n\n${out}`).to.equal(true)
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
