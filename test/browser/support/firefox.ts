import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { WebSocket } from 'undici'
import type { Engine, Started } from './engines.ts'

const FIREFOX = '/usr/bin/firefox-esr'

/** Settings of a profile that blocks the cookies of others and asks for nothing by itself. */
const preferences = (proxy?: number): string =>
  Object.entries({
    'network.cookie.cookieBehavior': 1,
    ...(proxy && { 'network.proxy.type': 1, 'network.proxy.http': '127.0.0.1', 'network.proxy.http_port': proxy }),
    'browser.shell.checkDefaultBrowser': false,
    'browser.startup.page': 0,
    'app.update.disabledForTesting': true,
    'app.normandy.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'services.settings.server': 'data:,#remote-settings-dummy/v1',
  })
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('')

interface Reply {
  readonly id: number
  readonly type: string
  readonly message?: string
  // biome-ignore lint/suspicious/noExplicitAny: of as many kinds as there are commands
  readonly result?: any
}

/** Speaks WebDriver BiDi: each command has a number, and its reply has the same. */
const connect = async (url: string) => {
  const socket = new WebSocket(url)
  const waiting = new Map<number, (reply: Reply) => void>()
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply
    waiting.get(reply.id)?.(reply)
    waiting.delete(reply.id)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  let count = 0
  return async (method: string, params: object): Promise<Reply['result']> => {
    const id = ++count
    const reply = new Promise<Reply>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { type, message, result } = await reply
    if (type === 'error') throw new Error(`${method}: ${message}`)
    return result
  }
}

const start = async (proxy?: number): Promise<Started> => {
  const profile = await mkdtemp(path.join(tmpdir(), 'millrace-firefox-'))
  await writeFile(path.join(profile, 'user.js'), preferences(proxy))
  const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0']
  const child = spawn(FIREFOX, options, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const address = new Promise<string>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      const [, url] = /BiDi listening on (ws:\S+)/.exec(line) ?? []
      if (url) resolve(url)
    })
    ended.then((code) => reject(new Error(`firefox ended with ${code}`)))
  })
  const send = await connect(`${await address}/session`)
  await send('session.new', { capabilities: {} })
  const { context } = await send('browsingContext.create', { type: 'tab' })
  return {
    go: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    async run(expression) {
      const options = { awaitPromise: true, resultOwnership: 'none', target: { context } }
      const text = `(async () => JSON.stringify({ value: await (${expression}) }))()`
      const { result, exceptionDetails } = await send('script.evaluate', { expression: text, ...options })
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      return JSON.parse(result.value).value
    },
    act: (actions) => send('input.performActions', { context, actions }),
    async close() {
      child.kill()
      await ended
      await rm(profile, { recursive: true, force: true })
    },
  }
}

export const FIREFOX_ESR: Engine = {
  name: 'Firefox',
  whyNot: existsSync(FIREFOX) ? undefined : `there is no browser at ${FIREFOX}`,
  start,
}
