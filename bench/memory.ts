import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const MEBIBYTE = 1024

/** Resident memory of a process in MiB. */
export interface Resident {
  readonly total: number
  /** Its own; the rest are pages of files, which the system takes back when it needs them. Linux only. */
  readonly anonymous?: number
}

/** Resident memory now, from /proc or, where there is none, from `ps`. */
export const residentMemory = (pid: number): Resident => {
  if (process.platform !== 'linux') {
    return { total: Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / MEBIBYTE }
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / MEBIBYTE
  return { total: read('VmRSS'), anonymous: read('RssAnon') }
}
