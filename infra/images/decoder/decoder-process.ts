import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { type ImageAnswer, type ImageResult, type ImageTask, LIMITS, OUT_OF_MEMORY, WORN_BYTES } from './task.ts'

/** Why a task has no result: a limit was reached, or its process ended for another reason. */
export type StopReason = 'memory' | 'time' | 'crash'

/** Error for a task that has no result. */
export class DecodingStopped extends Error {
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(`decoding an image was stopped: ${reason}`)
    this.reason = reason
  }
}

const program = new URL('./process.js', import.meta.url)
/** What the process needs of the environment: libraries and fonts. Secrets are none of its business. */
const PASSED_ON = ['PATH', 'LD_LIBRARY_PATH', 'HOME', 'XDG_CACHE_HOME', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH', 'LANG']

const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined)),
  // Memory that a thread has freed would otherwise stay with it.
  MALLOC_ARENA_MAX: '2',
})

const FLAGS = ['--max-old-space-size=160', '--max-semi-space-size=4']
const SHELL = '/bin/sh'
/** Starts a command that leaves no image of its memory, and can write to no more than a limit, unless that is refused. */
const LIMITING = `ulimit -c 0; if (ulimit -d ${LIMITS.dataKiB}) 2>/dev/null; then ulimit -d ${LIMITS.dataKiB}; fi; exec "$0" "$@"`
/** Signals by which a process ends that is out of memory, itself or in its libraries. */
const EXHAUSTED: readonly (NodeJS.Signals | null)[] = [OUT_OF_MEMORY, 'SIGABRT', 'SIGTRAP']

const start = (): ChildProcess => {
  const command = existsSync(SHELL)
    ? { execPath: SHELL, execArgv: ['-c', LIMITING, process.execPath, ...FLAGS] }
    : { execArgv: FLAGS }
  const child = fork(program, {
    ...command,
    env: environment(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Requests go before pictures.
  if (child.pid !== undefined) {
    try {
      setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // It has ended already, which the task finds out.
    }
  }
  // It must not keep a process alive that has nothing else to do.
  child.unref()
  child.channel?.unref()
  return child
}

/** A process that decodes one image at a time. */
export class DecoderProcess {
  readonly #child = start()
  readonly #ended: Promise<void>
  readonly #limitMs: number
  #isEnded = false
  #isWorn = false

  constructor(limitMs: number = LIMITS.ms) {
    this.#limitMs = limitMs
    this.#ended = new Promise((resolve) => {
      const end = () => {
        this.#isEnded = true
        resolve()
      }
      this.#child.once('exit', end)
      this.#child.on('error', end)
    })
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Whether it has kept so much memory that another should take its place. */
  get isWorn(): boolean {
    return this.#isWorn
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** @throws {DecodingStopped} */
  run(task: ImageTask): Promise<ImageResult> {
    const child = this.#child
    return new Promise((resolve, reject) => {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        child.kill('SIGKILL')
      }, this.#limitMs)
      const stop = () => {
        clearTimeout(timer)
        child.off('message', answered)
        child.off('exit', died)
        child.off('error', failed)
      }
      const answered = (answer: unknown) => {
        stop()
        const { result, bytes } = answer as ImageAnswer
        this.#isWorn = bytes > WORN_BYTES
        if (result) resolve(result)
        else reject(new DecodingStopped('memory'))
      }
      const died = (_code: number | null, signal: NodeJS.Signals | null) => {
        stop()
        reject(new DecodingStopped(isLate ? 'time' : EXHAUSTED.includes(signal) ? 'memory' : 'crash'))
      }
      const failed = () => {
        this.#isWorn = true
        died(null, null)
      }
      child.on('message', answered)
      child.on('exit', died)
      child.on('error', failed)
      if (this.#isEnded) failed()
      else child.send(task, (error) => error && failed())
    })
  }

  /** Ends the process at once: it keeps nothing. */
  async end(): Promise<void> {
    // Whoever waits here may have nothing else that keeps its own process alive.
    if (!this.#isEnded) this.#child.ref()
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}
