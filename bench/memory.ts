import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const MEBIBYTE = 1024

/** Resident memory of a process in MiB. */
export interface Resident {
  readonly total: number
  /** Private memory; the rest are file pages, which the system reclaims when it needs memory. Linux only. */
  readonly anonymous?: number
}

/** Current resident memory, from /proc on Linux and from `ps` elsewhere. */
export const residentMemory = (pid: number): Resident => {
  if (process.platform !== 'linux') {
    return { total: Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / MEBIBYTE }
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / MEBIBYTE
  return { total: read('VmRSS'), anonymous: read('RssAnon') }
}
