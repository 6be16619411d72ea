import { spawnSync } from 'node:child_process'

/** Whether programs can be watched here. */
export const canTrace = (): boolean => spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0

/** A command that starts the given one and writes to a file what it asks of disk and network. */
export const tracing = (file: string): readonly string[] => [
  'strace',
  // The given command stays the process that was started.
  '-D',
  ...['-f', '-yy', '-qq', '-s', '400', '-e', 'signal=none'],
  ...['-e', 'trace=read,recvfrom,write,writev,sendto,pwrite64,pwritev,fsync,fdatasync'],
  ...['-o', file],
]

/** A request as a trace shows it. */
export interface Traced {
  /** Line of the trace at which it was read. */
  readonly line: number
  /** Whether something was written to the file or its write-ahead log, and then forced to disk, before the answer. */
  readonly synced: boolean
}

interface Open {
  readonly line: number
  wrote: boolean
  synced: boolean
}

const CALL = /^(\d+) +(\w+)\((.*)$/
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/
const SOCKET = /^\d+<(TCP[^>]*->[^>]*)>/

/**
 * Requests that were answered with 201, each with whether its write was forced to disk before. One at a time: what comes between
 * a request and its answer is taken for its own.
 * @param trace lines of `strace -f -yy`
 * @param file path of the database
 */
export const answeredRequests = (trace: readonly string[], file: string): readonly Traced[] => {
  const answered: Traced[] = []
  /** What a thread is in the middle of: the beginning of its line. */
  const unfinished = new Map<string, string>()
  let open: Open | undefined
  const isOfFile = (rest: string) => rest.includes(`<${file}>`) || rest.includes(`<${file}-wal>`)

  /** A call has returned: what it asked, and what came of it. */
  const returned = (name: string, asked: string, result: string, line: number) => {
    if (/^(read|recvfrom)$/.test(name) && SOCKET.test(asked) && /"POST /.test(asked + result))
      open = { line, wrote: false, synced: false }
    else if (/^pwrite/.test(name) && open && isOfFile(asked)) open.wrote = true
    else if (/^(fsync|fdatasync)$/.test(name) && open?.wrote && isOfFile(asked) && / = 0$/.test(result))
      open.synced = true
  }
  /** An answer counts from when it is begun. */
  const begun = (name: string, asked: string) => {
    if (!/^(write|writev|sendto)$/.test(name) || !SOCKET.test(asked) || !asked.includes('"HTTP/1.1 201')) return
    if (open) answered.push({ line: open.line, synced: open.synced })
    open = undefined
  }

  for (const [line, text] of trace.entries()) {
    const resumed = RESUMED.exec(text)
    if (resumed) {
      const [, thread, name, result] = resumed
      returned(name!, unfinished.get(thread!) ?? '', result!, line)
      continue
    }
    const [, thread, name, asked] = CALL.exec(text) ?? []
    if (!thread) continue
    begun(name!, asked!)
    if (asked!.endsWith('<unfinished ...>')) unfinished.set(thread, asked!)
    else returned(name!, asked!, asked!, line)
  }
  return answered
}

/** The trace as it would be of a database that forces nothing to disk. */
export const withoutSyncs = (trace: readonly string[]): readonly string[] =>
  trace.filter((line) => !/\b(fsync|fdatasync)\b/.test(line))

/** The trace as it would be if the answer went out before the disk had answered. */
export const withLateSyncs = (trace: readonly string[]): readonly string[] => {
  const isSync = (line: string) => /\b(fsync|fdatasync)\b/.test(line)
  const late: string[] = []
  const moved: string[] = []
  for (const line of trace) {
    if (isSync(line)) moved.push(line)
    else late.push(line)
    if (line.includes('"HTTP/1.1 201')) late.push(...moved.splice(0))
  }
  return late
}
