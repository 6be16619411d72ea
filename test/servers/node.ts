import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Command line that starts one EventStoreDB node in the foreground, insecure, on loopback. `{port}` and `{folder}` stand for its HTTP port
 * and its data folder.
 */
export const NODE_COMMAND: string | undefined = process.env.EVENTSTOREDB_COMMAND || undefined

/** The reason why tests that start, stop or kill a node cannot run here; `undefined` when they can. */
export const missingNode: string | undefined = NODE_COMMAND
  ? undefined
  : 'skipped: EVENTSTOREDB_COMMAND does not say what starts an EventStoreDB (docs/reliability.md)'

const PATIENCE_MS = 60_000
const LOOKED_EVERY_MS = 20

/** An EventStoreDB in a child process, which can be stopped, killed and started again on its data. */
export interface EventStoreNode {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Starts it again after a kill or a stop, with the same data and port. Resolves when it answers. */
  start(): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** Kills or stops it, and waits for its exit. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** Actions for the exit of this process. */
const atExit = new Set<() => void>()
process.once('exit', () => {
  for (const end of [...atExit].reverse()) end()
})
// Without a listener a signal would end this process and leave the nodes.
if (NODE_COMMAND) process.once('SIGTERM', () => process.exit(1))

/** A loopback port that is currently free. */
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

/** Makes a temporary folder that is removed when this process exits. */
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

/** Starts a node with its data in a folder, which is created if missing. @throws {Error} with its output when it does not answer within a minute */
export const startNode = async (folder: string, fixedPort?: number): Promise<EventStoreNode> => {
  if (!NODE_COMMAND) throw new Error(missingNode)
  const port = fixedPort ?? (await freePort())
  const [command, ...args] = NODE_COMMAND.split(/\s+/).map((word) =>
    word.replaceAll('{port}', String(port)).replaceAll('{folder}', folder),
  )
  let child: ChildProcess
  let gone: Promise<void>

  // The command may be a script with the server as its child, so signals go to the whole process group.
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-child.pid!, name)
    } catch {
      // The node has exited by itself.
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
