import { readFileSync } from 'node:fs'

/** The kernel reports CPU time in hundredths of a second on every platform that Node.js runs on. */
const TICK_US = 10_000

/** Time for the work that follows a load, such as projections, which counts as part of it. */
const SETTLE_MS = 200

const POLL_MS = 50

const cpuIsKnown = process.platform === 'linux'

/** Note for the report of a system without /proc. */
export const cpuNotes: readonly string[] = cpuIsKnown
  ? []
  : ['CPU is left out: it is read from /proc, which only Linux has.']

/** CPU time of all threads of a process so far, in µs; `undefined` when it has exited or this is not Linux. */
export const cpuMicros = (pid: number): number | undefined => {
  if (!cpuIsKnown) return undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name, which may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_US
  } catch {
    return undefined
  }
}

/** CPU time that a process spends during an action, in µs over all threads. */
export const cpuOf = async <T>(
  pid: number,
  action: () => Promise<T>,
): Promise<{ readonly value: T; readonly cpu: number | undefined }> => {
  const before = cpuMicros(pid)
  const value = await action()
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const after = cpuMicros(pid)
  return { value, cpu: before === undefined || after === undefined ? undefined : after - before }
}

interface Sample {
  readonly at: number
  readonly cpu: number
}

/** CPU time at a moment, interpolated between the samples around it. */
const at = (samples: readonly Sample[], time: number): number | undefined => {
  const next = samples.findIndex((sample) => sample.at >= time)
  const after = samples[next]
  const before = samples[next - 1]
  if (!after || !before) return undefined
  return before.cpu + ((after.cpu - before.cpu) * (time - before.at)) / (after.at - before.at)
}

export interface CpuWatch {
  readonly watch: (pid: number) => () => void
  /** CPU time in µs that the process spent in the last seconds before its last line. */
  before(seconds: number): number | undefined
}

/** Samples the CPU time of a program that prints its result when it ends. */
export const watchCpu = (): CpuWatch => {
  const samples: Sample[] = []
  let saidAt = 0
  const watch = (pid: number) => {
    const look = () => {
      const cpu = cpuMicros(pid)
      if (cpu === undefined) clearInterval(timer)
      else samples.push({ at: performance.now(), cpu })
    }
    const timer = setInterval(look, POLL_MS)
    timer.unref()
    look()
    return () => {
      look()
      saidAt = samples.at(-1)?.at ?? 0
    }
  }
  const before = (seconds: number) => {
    const until = at(samples, saidAt)
    const from = at(samples, saidAt - seconds * 1000)
    return until === undefined || from === undefined ? undefined : until - from
  }
  return { watch, before }
}
