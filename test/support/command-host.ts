import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Answered, type Asked, END } from './command-hosts.ts'

/**
 * Runs the command line again and again in one process, which loads the program once: that takes nearly all the processor time of most
 * commands. A run has its own arguments and environment, and lasts until nothing is left that would keep a process of its own alive.
 */

/** Stops what calls `process.exit`, which does not expect to go on. */
class Exited extends Error {}

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

const run = async ({ program, args, env }: Asked): Promise<Answered> => {
  const open = process.getActiveResourcesInfo().length
  const isIdle = () => process.getActiveResourcesInfo().length <= open
  process.argv = [process.execPath, program, ...args]
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  const exiting = new Promise<void>((resolve) => {
    onExit = resolve
  })
  // Only the entry is evaluated again: all that it imports stays loaded.
  const done = import(`${pathToFileURL(program)}?${++runs}`).then(async () => {
    while (!isIdle()) await setTimeout(1)
    await flushed()
  })
  done.catch(() => {})
  await Promise.race([done, exiting])
  for (let waited = 0; !isIdle() && waited < SPENT_AFTER_MS; waited++) await setTimeout(1)
  const code = exited ?? Number(process.exitCode ?? 0)
  // Logs are flushed then, and temporary files removed.
  process.emit('exit', code)
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
