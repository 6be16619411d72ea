import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { MILLRACE, type Ready, readyFrom, withoutSettings } from '../support/millrace.ts'
import { type Random, random, seedOfRun } from '../support/random.ts'
import type { Target } from './ledger.ts'

export interface HowToStart {
  /** Flags in addition to the usual ones. */
  readonly args?: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
  /** A command that starts the service's command, such as a tracer. */
  readonly wrap?: readonly string[]
}

/** A started process. `ready` is its ready line, or `undefined` when it exited without one. */
interface Started {
  readonly child: ChildProcess
  readonly ready: Ready | undefined
  readonly said: () => string
  readonly ended: Promise<number | null>
}

/** A service in a child process, from start to exit, with its standard error output. */
export interface ServiceProcess {
  readonly child: ChildProcess
  readonly url: string
  readonly ready: Ready
  /** Its standard error output so far; complete after an orderly stop. */
  readonly said: () => string
  /** Sends a signal and waits for the exit. @returns the exit code, `null` when killed */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Running services. A failed test leaves its own behind. */
const running = new Set<ChildProcess>()

const start = async (data: string, { args = [], settings = {}, wrap = [] }: HowToStart): Promise<Started> => {
  const [command, ...rest] = [...wrap, process.execPath, MILLRACE, 'start', '--port', '0', '--data', data, '--json']
  const child = spawn(command!, [...rest, ...args], {
    env: {
      ...withoutSettings(),
      MILLRACE_LOG_LEVEL: 'warn',
      MILLRACE_DEMO: 'empty',
      MILLRACE_RATE_LIMIT: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let said = ''
  child.stderr!.on('data', (piece: Buffer) => {
    said += piece.toString()
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const line = new Promise<string>((resolve) => createInterface({ input: child.stdout! }).once('line', resolve))
  const first = await Promise.race([line, ended.then(() => undefined)])
  return { child, ended, said: () => said, ready: first === undefined ? undefined : readyFrom(first) }
}

/** Starts the service. @throws {Error} with its output when it exits before it is ready */
export const startServiceProcess = async (data: string, how: HowToStart = {}): Promise<ServiceProcess> => {
  const { child, ready, said, ended } = await start(data, how)
  if (!ready) throw new Error(`millrace start ended with ${await ended} before it was ready: ${said()}`)
  return {
    child,
    url: ready.origin,
    ready,
    said,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}

/** Starts the service where it must refuse to start. @throws {Error} when it becomes ready */
export const refusedStart = async (data: string, how: HowToStart = {}): Promise<{ code: number; said: string }> => {
  const { child, ready, said, ended } = await start(data, how)
  if (ready) {
    child.kill('SIGKILL')
    throw new Error(`millrace start was ready, and should have refused; it said: ${said()}`)
  }
  return { code: (await ended) ?? -1, said: said() }
}

/** Directories and random numbers of one suite. The seed is printed at its first use. */
export interface SuiteDirectories {
  readonly chance: Random
  /** Makes a new directory. */
  place(): string
  /** Ends the processes that still run, and removes the directories. */
  clear(): void
}

export const suiteDirectories = (name: string): SuiteDirectories => {
  const places: string[] = []
  let chance: Random | undefined
  return {
    get chance() {
      chance ??= random(seedOfRun())
      return chance
    },
    place: () => {
      const place = mkdtempSync(join(tmpdir(), `millrace-${name}-`))
      places.push(place)
      return place
    },
    clear: () => {
      for (const child of running) child.kill('SIGKILL')
      for (const place of places.splice(0)) rmSync(place, { recursive: true, force: true })
    },
  }
}

/** The target of this life, for clients with a key from the first life. */
export const targetOf = ({ ready }: ServiceProcess, token: string | null = ready.api_key): Target => ({
  url: ready.origin,
  token: token!,
  workspaceId: ready.workspace_id,
})
