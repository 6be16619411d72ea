const SLICE_MS = 10

/**
 * Returns a function for long work, to be called between two of its steps. It returns a promise, to be awaited, when the work has
 * held the event loop for a while: others get their turn before it resolves.
 */
export const timeSlices = (): (() => Promise<void> | undefined) => {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < SLICE_MS) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        begun = performance.now()
        resolve()
      }),
    )
  }
}
