import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { beginRun } from './command-hosts.ts'

/** The program of the command line, as `npm start` runs it. */
export const MILLRACE = fileURLToPath(new URL('../../program/millrace.js', import.meta.url))

/** The environment of this process without Millrace's own settings, above all the servers of the test run. */
export const withoutSettings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(MILLRACE_|EVENTSTOREDB_URL$|MONGODB_URL$)/.test(name)),
  )

const environment = (settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...withoutSettings(),
  MILLRACE_LOG_LEVEL: 'warn',
  MILLRACE_DEMO: 'empty',
  MILLRACE_MAIL_WARM_UP: 'no',
  ...settings,
})

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

const MOST_MS = 120_000

/** Whether Node.js has to be started with options of its own, which count from the start of a process. */
const hasOptions = (settings: Readonly<Record<string, string>>): boolean => settings.NODE_OPTIONS !== undefined

/**
 * Runs the command line until it exits, in a process that has loaded the program and runs other commands of this suite after it. What is about
 * processes is run by `millraceProcess`.
 */
export const millrace = async (
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Ran> => {
  if (hasOptions(settings)) return millraceProcess(args, settings)
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  const { child, ended } = beginRun(
    { program: MILLRACE, args, env: environment(settings) },
    { out: (piece) => out.push(piece), err: (piece) => err.push(piece) },
  )
  const timeout = setTimeout(() => child.kill('SIGKILL'), MOST_MS)
  const code = await ended
  clearTimeout(timeout)
  return { code: code ?? 1, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }
}

/** Runs the command line until it exits, in a process of its own. */
export const millraceProcess = (
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [MILLRACE, ...args],
      { env: environment(settings), timeout: MOST_MS, maxBuffer: 1 << 26 },
      (error, out, err) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, out, err })
      },
    )
  })

export interface Ready {
  /** Scheme, host and port. */
  readonly origin: string
  readonly workspace_id: number
  readonly api_key: string | null
  /** Link by which the first owner signs in; `null` once anybody has. */
  readonly sign_in: string | null
  /** URL of the listener that pages call. */
  readonly sdk: string
  /** Address of the agent server. */
  readonly mcp: string
  /** URL under which the pages of the only workspace are served. */
  readonly pages: string
}

/** Parses the line that a service prints when it is ready. */
export const readyFrom = (line: string): Ready => {
  const { api, ...others } = JSON.parse(line) as Omit<Ready, 'origin'> & { readonly api: string }
  return { ...others, origin: new URL(api).origin }
}

/** Characters of its log that an error quotes. */
const SAID = 2000

export interface Spawned {
  readonly child: ChildProcess
  readonly ready: Ready
  /** Milliseconds from the start to the ready line. */
  readonly startedIn: number
  /** Sends a signal and waits for the exit. @returns the exit code, `null` when killed */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

const START = ['start', '--port', '0', '--json', '--data']

/** Settings of a service that refuses no request for coming too often. */
const serving = (settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv =>
  environment({
    MILLRACE_RATE_LIMIT: '0',
    MILLRACE_PUBLIC_RATE_LIMIT: '0',
    MILLRACE_FAILED_ATTEMPTS: '0',
    ...settings,
  })

/** Waits for the line that says that a service is ready, and lets it be stopped. */
const spawned = async (
  child: ChildProcess,
  ended: Promise<number | null>,
  firstLine: Promise<string>,
  log: readonly string[] = [],
): Promise<Spawned> => {
  const begun = performance.now()
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  const line = await Promise.race([
    firstLine,
    ended.then((code) => {
      throw new Error(`millrace start ended with ${code} before it was ready: ${log.join('').slice(-SAID)}`)
    }),
  ])
  return {
    child,
    ready: readyFrom(line),
    startedIn: performance.now() - begun,
    stop: (signal = 'SIGTERM') => {
      if (!isOver) child.kill(signal)
      return ended
    },
  }
}

/**
 * Starts the service in a process of its own, on any free port.
 *
 * @param log receives its log, which otherwise goes to standard error
 */
export const spawnMillrace = (
  data: string,
  settings: Readonly<Record<string, string>> = {},
  log?: string[],
): Promise<Spawned> => {
  const child = spawn(process.execPath, [MILLRACE, ...START, data], {
    env: serving(settings),
    stdio: ['ignore', 'pipe', log ? 'pipe' : 'inherit'],
  })
  child.stderr?.on('data', (piece) => log?.push(String(piece)))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const line = new Promise<string>((resolve) => createInterface({ input: child.stdout! }).once('line', resolve))
  return spawned(child, ended, line, log)
}

/**
 * Starts the service like `spawnMillrace`, in a process that has loaded the program, and serves others after it: for suites that are not about
 * processes. It does without most of the processor time of a start.
 */
export const hostMillrace = (
  data: string,
  settings: Readonly<Record<string, string>> = {},
  log?: string[],
): Promise<Spawned> => {
  if (hasOptions(settings)) return spawnMillrace(data, settings, log)
  let out = ''
  let ready: (line: string) => void = () => {}
  const line = new Promise<string>((resolve) => {
    ready = resolve
  })
  const { child, ended } = beginRun(
    { program: MILLRACE, args: [...START, data], env: serving(settings) },
    {
      out: (piece) => {
        out += piece
        const [first = '', ...rest] = out.split('\n')
        if (rest.length > 0) ready(first)
      },
      err: (piece) => (log ? log.push(String(piece)) : process.stderr.write(piece)),
    },
  )
  return spawned(child, ended, line, log)
}
