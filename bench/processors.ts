import { readFileSync } from 'node:fs'

/** Parses a processor list of the kernel, such as `0-3,8`. */
export const processorsIn = (list: string): readonly number[] =>
  list.split(',').flatMap((range) => {
    const [from, to = from] = range.split('-').map(Number)
    return Array.from({ length: to! - from! + 1 }, (_, i) => from! + i)
  })

const allowed = (): readonly number[] =>
  processorsIn(/^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0')

/** Whether a program can be limited to this number of processors here. */
export const canHoldTo = (count: number): boolean => process.platform === 'linux' && allowed().length >= count

/** Command prefix that limits a command and its threads to a number of processors. */
export const limitedTo = (count: number): readonly string[] => ['taskset', '-c', allowed().slice(0, count).join(',')]
