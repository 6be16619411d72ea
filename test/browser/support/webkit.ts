import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import type { Engine, Started } from './engines.ts'

const DRIVER = '/usr/bin/WebKitWebDriver'
const DISPLAY_SERVER = '/usr/bin/Xvfb'
const MISSING = [DRIVER, DISPLAY_SERVER].filter((file) => !existsSync(file))

/** Starts a display, of which there is none on a server, and returns its name. */
const startDisplay = async () => {
  const child = spawn(DISPLAY_SERVER, ['-displayfd', '1', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [number] = await once(createInterface(child.stdout), 'line')
  return { child, display: `:${number}` }
}

const stop = async (child: ChildProcess) => {
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

interface Reply {
  // biome-ignore lint/suspicious/noExplicitAny: of as many kinds as there are commands
  readonly value?: any
}

/** Speaks WebDriver. */
const connect =
  (base: string) =>
  async (method: string, path: string, body?: object, patience = 30_000) => {
    const signal = AbortSignal.timeout(patience)
    const response = await fetch(base + path, { method, signal, ...(body && { body: JSON.stringify(body) }) })
    const { value } = (await response.json()) as Reply
    if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`)
    return value
  }

const capabilities = (proxy?: number) => ({
  // Without this, a third party may still read the cookies that it set as a first one.
  'webkitgtk:browserOptions': { args: ['--automation', '--enable-itp=true'] },
  ...(proxy && { proxy: { proxyType: 'manual', httpProxy: `127.0.0.1:${proxy}` } }),
})

const start = async (proxy?: number): Promise<Started> => {
  const { child: server, display } = await startDisplay()
  const own = await freePort()
  const env = { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1' }
  const driver = spawn(DRIVER, [`--port=${own}`], { stdio: 'ignore', env })
  const send = connect(`http://127.0.0.1:${own}`)
  const end = async () => {
    await stop(driver)
    await stop(server)
  }
  try {
    await eventually(() => send('GET', '/status'))
    const { sessionId } = await send('POST', '/session', { capabilities: { alwaysMatch: capabilities(proxy) } })
    const session = `/session/${sessionId}`
    return {
      go: (url) => send('POST', `${session}/url`, { url }),
      // What is asked for while the page changes may never be answered. It is given up, and can be asked again.
      run: (expression) =>
        send('POST', `${session}/execute/sync`, { script: `return (${expression})`, args: [] }, 3000),
      act: (actions) => send('POST', `${session}/actions`, { actions }),
      async close() {
        await send('DELETE', session)
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

export const WEBKIT_GTK: Engine = {
  name: 'WebKit',
  whyNot: MISSING.length > 0 ? `there is no ${MISSING.join(', no ')}` : undefined,
  start,
}
