import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What starts one EventStoreDB node in the foreground, insecure, on loopback: a command line in which `{port}` and `{folder}` stand for the
 * port of its HTTP and the folder of its data.
 */
export const NODE_COMMAND: string | undefined = process.env.EVENTSTOREDB_COMMAND || undefined

/** Why a test that starts, stops or kills a node cannot run here, if it cannot. */
export const missingNode: string | undefined = NODE_COMMAND
  ? undefined
  : 'skipped: EVENTSTOREDB_COMMAND does not say what starts an EventStoreDB (docs/reliability.md)'

const PATIENCE_MS = 60_000
const LOOKED_EVERY_MS = 20

/** An EventStoreDB in a process of its own, which may be stopped, killed and started again on its data. */
export interface EventStoreNode {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Starts it again after a kill or a stop, on the same data and port; resolves when it answers. */
  start(): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** Kills it, or ends it in order, and waits until it is gone. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** What is to be done when this process ends. */
const atExit = new Set<() => void>()
process.once('exit', () => {
  for (const end of [...atExit].reverse()) end()
})
// Without a listener a signal would end this process and leave the nodes.
if (NODE_COMMAND) process.once('SIGTERM', () => process.exit(1))

/** A port of loopback that nobody has at the moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })

/** A new folder under the system's directory of temporary files, removed when this process ends. */
export const temporaryFolder = (name: string): string => {
  const folder = mkdtempSync(path.join(tmpdir(), `millrace-${name}-`))
  atExit.add(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

const answers = async (port: number): Promise<boolean> => {
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}/health/live`, { signal: AbortSignal.timeout(1000) })
    return status === 204 || status === 200
  } catch {
    return false
  }
}

/** Starts a node with its data in a folder, which it makes unless it is there. @throws {Error} with what it said, when it does not answer within a minute */
export const startNode = async (folder: string, fixedPort?: number): Promise<EventStoreNode> => {
  if (!NODE_COMMAND) throw new Error(missingNode)
  const port = fixedPort ?? (await freePort())
  const [command, ...args] = NODE_COMMAND.split(/\s+/).map((word) =>
    word.replaceAll('{port}', String(port)).replaceAll('{folder}', folder),
  )
  let child: ChildProcess
  let gone: Promise<void>

  // A command may be a script with the server as its child: signals go to all of the group.
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-child.pid!, name)
    } catch {
      // It has ended by itself.
    }
  }
  const start = async () => {
    let said = ''
    const one = spawn(command!, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const pipe of [one.stdout, one.stderr]) {
      pipe.on('data', (text) => {
        said = (said + text).slice(-2000)
      })
    }
    child = one
    const failed = new Promise<never>((_resolve, reject) => one.once('error', reject))
    failed.catch(() => undefined)
    gone = new Promise((resolve) => one.once('exit', () => resolve()))
    for (const begun = Date.now(); !(await Promise.race([answers(port), failed])); await sleep(LOOKED_EVERY_MS)) {
      if (one.exitCode === null && Date.now() - begun < PATIENCE_MS) continue
      signal('SIGKILL')
      throw new Error(`'${command} ${args.join(' ')}' does not answer at port ${port}: ${said}`)
    }
  }

  atExit.add(() => signal('SIGKILL'))
  await start()
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    port,
    get pid() {
      return child.pid!
    },
    start,
    signal,
    async end(name = 'SIGTERM') {
      signal(name)
      const stubborn = setTimeout(() => signal('SIGKILL'), PATIENCE_MS / 2)
      await gone
      clearTimeout(stubborn)
    },
  }
}
