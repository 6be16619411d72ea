import { type ChildProcess, fork } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const HOST = fileURLToPath(new URL('./command-host.js', import.meta.url))

/** Closes what a run has printed, on both of its streams. */
export const END = '\u0004'

export interface Asked {
  readonly program: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

export interface Answered {
  readonly code: number
  /** Whether it left something open, as a program may that exits: a process of its own would have closed it by ending. */
  readonly isSpent: boolean
}

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

const idle: ChildProcess[] = []

/** Begins a process that runs commands, for as long as this one lives. */
const begin = (env: NodeJS.ProcessEnv): ChildProcess => {
  const host = fork(HOST, [], { env, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  const forget = () => {
    const at = idle.indexOf(host)
    if (at >= 0) idle.splice(at, 1)
  }
  host.once('exit', forget)
  return host
}

/** Reads a stream up to the end of a run, or of the process. */
const printed = (stream: Readable): Promise<string> =>
  new Promise((resolve) => {
    const pieces: Buffer[] = []
    const done = (last?: Buffer) => {
      stream.off('data', take).off('end', end)
      if (last) pieces.push(last)
      resolve(Buffer.concat(pieces).toString())
    }
    const end = () => done()
    const take = (piece: Buffer) => {
      if (piece.at(-1) === END.charCodeAt(0)) done(piece.subarray(0, -1))
      else pieces.push(piece)
    }
    stream.on('data', take).once('end', end)
  })

/** Runs the command line until it exits, in a process that runs others after it. */
export const runHosted = async (asked: Asked, timeoutMs: number): Promise<Ran> => {
  const host = idle.pop() ?? begin(asked.env)
  const timeout = setTimeout(() => host.kill('SIGKILL'), timeoutMs)
  const answer = new Promise<Answered>((resolve) => {
    const ended = (code: number | null) => resolve({ code: code ?? 1, isSpent: true })
    host.once('exit', ended).once('message', (answered: Answered) => {
      host.off('exit', ended)
      resolve(answered)
    })
  })
  host.send(asked)
  const [{ code, isSpent }, out, err] = await Promise.all([answer, printed(host.stdout!), printed(host.stderr!)])
  clearTimeout(timeout)
  host.removeAllListeners('message')
  if (isSpent) host.kill('SIGKILL')
  else idle.push(host)
  return { code, out, err }
}
