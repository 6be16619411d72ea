const RUNS = 3

const once = (work: () => unknown): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Milliseconds of processor time that work takes: the least of up to three runs, or of one that takes less than `enough`. */
export const cpuMs = (work: () => unknown, enough = 0): number => {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS && least > enough; run++) least = Math.min(least, once(work))
  return least
}
