import { type ChildProcess, spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { limitedTo } from './processors.ts'

/** Options of a program that runs in a child process and prints lines of JSON to its standard output. */
export interface ChildOptions {
  readonly args?: readonly string[]
  /** Flags of Node.js itself. */
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** File for the standard error output. Default: that of this process. */
  readonly errors?: string
  /** Directory for a CPU profile. */
  readonly profile?: string | undefined
  /** Number of processors that its threads share. Default: all. Linux only. */
  readonly processors?: number | undefined
  /** Called when the process has started. The returned function is called at each line that it prints. */
  readonly watch?: (pid: number) => () => void
}

export interface Running<T> {
  readonly pid: number
  /** The first line that it printed. */
  readonly ready: T
  /** Milliseconds from the start of the process to its first line. */
  readonly startedIn: number
  stop(signal?: NodeJS.Signals): Promise<void>
}

const READY_MS = 120_000
const STOP_MS = 30_000
const LONGEST_MS = 3_600_000

const alive = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

const launch = async (
  file: string,
  { args = [], flags = [], env = {}, errors, profile, processors }: ChildOptions,
): Promise<ChildProcess> => {
  const sink = errors === undefined ? undefined : await open(errors, 'a')
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const command = [process.execPath, ...profiling, ...flags, file, ...args]
  const [program, ...rest] = processors === undefined ? command : [...limitedTo(processors), ...command]
  const child = spawn(program!, rest, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', sink?.fd ?? 'inherit'],
  })
  child.once('spawn', () => void sink?.close())
  return child
}

const ended = (child: ChildProcess): Promise<number | null> => {
  alive.add(child)
  return new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code))
  }).finally(() => alive.delete(child))
}

/** Kills the process after this time. @returns a function that cancels the timer */
const endAfter = (child: ChildProcess, milliseconds: number): (() => void) => {
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds)
  const callOff = () => clearTimeout(timer)
  child.once('exit', callOff)
  return callOff
}

/** Starts a server program and waits for its first line. @throws {Error} when it exits before */
export const serve = async <T>(file: string, options: ChildOptions = {}): Promise<Running<T>> => {
  const started = performance.now()
  const child = await launch(file, options)
  const end = ended(child)
  const callOff = endAfter(child, READY_MS)
  const lines = createInterface({ input: child.stdout! })
  const first = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    end.then((code) => {
      throw new Error(`${file} ended with ${code} before it was ready`)
    }),
  ])
  callOff()
  const startedIn = performance.now() - started
  return {
    pid: child.pid!,
    ready: JSON.parse(first) as T,
    startedIn,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      endAfter(child, STOP_MS)
      await end
    },
  }
}

/** Runs a program until it exits. @returns its last line @throws {Error} when it fails or prints nothing */
export const run = async <T>(file: string, options: ChildOptions = {}): Promise<T> => {
  const child = await launch(file, options)
  const end = ended(child)
  endAfter(child, LONGEST_MS)
  const said = child.pid === undefined ? undefined : options.watch?.(child.pid)
  let last: string | undefined
  for await (const line of createInterface({ input: child.stdout! })) {
    last = line
    said?.()
  }
  const code = await end
  if (code !== 0 || last === undefined) throw new Error(`${file} ended with ${code}`)
  return JSON.parse(last) as T
}
