import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
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
  /** Whether it left something open, as a program may that exits: a process of its own closes it by ending. */
  readonly isSpent: boolean
}

interface Run {
  readonly child: ChildProcess
  /** Exit code; `null` when it was killed. */
  readonly ended: Promise<number | null>
}

interface Readers {
  out(piece: Buffer): void
  err(piece: Buffer): void
}

const idle: ChildProcess[] = []

/** Begins a process that carries out runs for as long as this one lives. */
const begin = (env: NodeJS.ProcessEnv): ChildProcess => {
  const execArgv = ['--max-semi-space-size=32']
  const host = fork(HOST, [], { env, execArgv, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  host.once('exit', () => {
    const at = idle.indexOf(host)
    if (at >= 0) idle.splice(at, 1)
  })
  return host
}

/** Reads a stream up to the end of a run, or of the process. */
const readAll = (stream: Readable, read: (piece: Buffer) => void): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      stream.off('data', take).off('close', done)
      resolve()
    }
    const take = (piece: Buffer) => {
      const isLast = piece.at(-1) === END.charCodeAt(0)
      read(isLast ? piece.subarray(0, -1) : piece)
      if (isLast) done()
    }
    stream.on('data', take).once('close', done)
  })

/** Begins a run of the command line in a process that has loaded the program, and takes others after it. */
export const beginRun = (asked: Asked, { out, err }: Readers): Run => {
  const host = idle.pop() ?? begin(asked.env)
  const answer = new Promise<Answered | null>((resolve) => {
    const ended = (code: number | null) => resolve(code === null ? null : { code, isSpent: true })
    host.once('exit', ended).once('message', (answered: Answered) => {
      host.off('exit', ended)
      resolve(answered)
    })
  })
  host.send(asked)
  const ended = Promise.all([answer, readAll(host.stdout!, out), readAll(host.stderr!, err)]).then(
    async ([answered]) => {
      host.removeAllListeners('message')
      if (!answered) return null
      if (!answered.isSpent) idle.push(host)
      else if (host.exitCode === null && host.signalCode === null) {
        host.kill('SIGKILL')
        await once(host, 'exit')
      }
      return answered.code
    },
  )
  return { child: host, ended }
}
