const WARM_UP_MS = 1000

/** Keeps `inFlight` calls under way for some seconds, after a second of warming up; prints `{"perSecond":…}`. */
export const measure = async (once, inFlight, seconds) => {
  const until = async (end) => {
    let done = 0
    const lane = async () => {
      for (; performance.now() < end; done++) await once()
    }
    await Promise.all(Array.from({ length: inFlight }, lane))
    return done
  }
  await until(performance.now() + WARM_UP_MS)
  const started = performance.now()
  const done = await until(started + seconds * 1000)
  process.stdout.write(`${JSON.stringify({ perSecond: (done * 1000) / (performance.now() - started) })}\n`)
}
