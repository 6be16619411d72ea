import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Answered, type Asked, END } from './command-hosts.ts'

/**
 * Runs the command line again and again in one process, which loads the program once: that takes nearly all the processor time of most
 * commands. A run has its own arguments and environment, and lasts until nothing is left that would keep a process of its own alive.
 */

/** Stops what calls `process.exit`, which does not expect to go on. */
class Exited extends Error {}

/** How often it is looked whether a run has ended. */
const MOST_MS = 50
const SPENT_AFTER_MS = 100

const endProcess = process.exit.bind(process)
let runs = 0
/** What the run has exited with, if it has. */
let exited: number | undefined
let onExit: (() => void) | undefined

process.exit = (code) => {
  exited ??= Number(code ?? process.exitCode ?? 0)
  onExit?.()
  throw new Exited()
}
process.on('uncaughtException', (error) => {
  if (error instanceof Exited) return
  process.stderr.write(`${error.stack ?? error}\n`)
  endProcess(1)
})

const streams = [process.stdout, process.stderr].map((stream) => {
  const write = stream.write.bind(stream)
  // What is written after the run has exited is dropped.
  stream.write = (...args: readonly unknown[]) => exited !== undefined || Reflect.apply(write, stream, args)
  return { write }
})

/** Waits until all is written, and what is called then has been called. */
const flushed = () =>
  Promise.all(streams.map(({ write }) => new Promise<void>((resolve) => write('', () => resolve()))))

/** The channel and both streams. */
const ALWAYS_OPEN = 3

/** Whether nothing is left to wait for, so that a process of its own would end. */
const isIdle = () => process.getActiveResourcesInfo().length <= ALWAYS_OPEN

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

const run = async ({ program, args, env }: Asked): Promise<Answered> => {
  process.argv = [process.execPath, program, ...args]
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  const exiting = new Promise<void>((resolve) => {
    onExit = resolve
  })
  // Only the entry is evaluated again: all that it imports stays loaded.
  const evaluated = import(`${pathToFileURL(program)}?${++runs}`).catch((error) => {
    if (!(error instanceof Exited)) throw error
  })
  await Promise.race([evaluated, exiting])
  for (let ms = 1; exited === undefined && !isIdle(); ms = Math.min(2 * ms, MOST_MS)) await setTimeout(ms)
  await flushed()
  for (let waited = 0; !isIdle() && waited < SPENT_AFTER_MS; waited++) await setTimeout(1)
  const code = exited ?? Number(process.exitCode ?? 0)
  // Logs are flushed then, and temporary files removed.
  process.emit('exit', code)
  for (const signal of SIGNALS) process.removeAllListeners(signal)
  return { code, isSpent: !isIdle() }
}

for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0)
process.on('disconnect', () => endProcess())
process.on('message', async (asked: Asked) => {
  const answered = await run(asked)
  exited = undefined
  process.exitCode = undefined
  for (const { write } of streams) write(END)
  process.send?.(answered)
})
