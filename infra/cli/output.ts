import { once } from 'node:events'

/** Nobody reads the output any more, as after `| head`: there is nothing left to do, and nothing is wrong. */
export class ReaderGone extends Error {}

const isBrokenPipe = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EPIPE'

const gone = new WeakSet<object>()

/**
 * Lets the process outlive the readers of its output. What is written after they have gone is discarded, so a command that changes something
 * carries it out to the end. A command that only prints ends with `printLine`.
 */
export const outliveReaders = (streams: readonly NodeJS.WritableStream[] = [process.stdout, process.stderr]): void => {
  for (const stream of streams)
    stream.on('error', (error) => {
      if (!isBrokenPipe(error)) throw error
      gone.add(stream)
    })
}

/** Whether nobody reads a stream any more. */
export const isUnread = (stream: NodeJS.WritableStream): boolean => gone.has(stream)

/** Writes a line, and waits until there is room for another. @throws {ReaderGone} when nobody reads it */
export const printLine = async (text: string, out: NodeJS.WritableStream = process.stdout): Promise<void> => {
  if (isUnread(out)) throw new ReaderGone()
  if (out.write(`${text}\n`)) return
  try {
    await once(out, 'drain')
  } catch (error) {
    throw isBrokenPipe(error) ? new ReaderGone() : error
  }
}
