import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

let perSecond: number | undefined

/** Clock ticks a second, the unit of processor time in /proc. */
const ticks = (): number => {
  perSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return perSecond
}

/** Processor time of a process so far in seconds (user and system); see proc_pid_stat(5). */
export const cpuSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticks()
}

const memory = (pid: number, line: string): number =>
  Number(new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Resident memory of a process now, in MiB. */
export const residentMiB = (pid: number): number => memory(pid, 'VmRSS')

/** The most resident memory that a process has had, in MiB. */
export const peakMiB = (pid: number): number => memory(pid, 'VmHWM')
