import { spawnSync } from 'node:child_process'

/** Whether programs can be traced here. */
export const canTrace = (): boolean => spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0

/** Command prefix that traces the disk and network calls of a command into a file. */
export const tracing = (file: string): readonly string[] => [
  'strace',
  // The traced command stays the process that was started.
  '-D',
  ...['-f', '-yy', '-qq', '-s', '400', '-e', 'signal=none'],
  ...['-e', 'trace=read,recvfrom,write,writev,sendto,pwrite64,pwritev,fsync,fdatasync'],
  ...['-o', file],
]

/** A request in a trace. */
export interface Traced {
  /** Line of the trace at which the request was read. */
  readonly line: number
  /** Whether a write to the file or its write-ahead log was forced to disk before the answer. */
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
 * Finds the requests that were answered with 201, and whether the write of each was forced to disk before. Requests must be sent one at
 * a time: all calls between a request and its answer count as its own.
 * @param trace lines of `strace -f -yy`
 * @param file path of the database
 */
export const answeredRequests = (trace: readonly string[], file: string): readonly Traced[] => {
  const answered: Traced[] = []
  /** Beginnings of the lines of unfinished calls, by thread. */
  const unfinished = new Map<string, string>()
  let open: Open | undefined
  const isOfFile = (rest: string) => rest.includes(`<${file}>`) || rest.includes(`<${file}-wal>`)

  /** Handles a call that has returned, with its arguments and result. */
  const returned = (name: string, asked: string, result: string, line: number) => {
    if (/^(read|recvfrom)$/.test(name) && SOCKET.test(asked) && /"POST /.test(asked + result))
      open = { line, wrote: false, synced: false }
    else if (/^pwrite/.test(name) && open && isOfFile(asked)) open.wrote = true
    else if (/^(fsync|fdatasync)$/.test(name) && open?.wrote && isOfFile(asked) && / = 0$/.test(result))
      open.synced = true
  }
  /** Handles the beginning of a call. An answer counts from its beginning. */
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

/** The trace of a database that forces nothing to disk. */
export const withoutSyncs = (trace: readonly string[]): readonly string[] =>
  trace.filter((line) => !/\b(fsync|fdatasync)\b/.test(line))

/** The trace of a service that answers before the disk has. */
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
