let turns: Promise<unknown> = Promise.resolve()

/** Resolves in a later turn of the event loop, for one caller per turn. So the work of many callers delays others no longer than that of one. */
export const nextTurn = (): Promise<unknown> => {
  turns = turns.then(() => new Promise((resolve) => setImmediate(resolve)))
  return turns
}

/** Milliseconds for which long work may hold the event loop. */
const SLICE_MS = 10

/** When long work began in this turn of the event loop; `undefined`: it has not. */
let began: number | undefined

/** Returns when long work began in this turn. All such work has one slice of a turn together: each with its own, many would hold the event loop. */
const beginning = (): number => {
  if (began === undefined) {
    began = performance.now()
    setImmediate(() => {
      began = undefined
    })
  }
  return began
}

/**
 * To be called between two steps of long work. Returns a promise, to be awaited, when such work has held the event loop for a while: others get
 * their turn before it resolves.
 */
export type TimeSlices = () => Promise<unknown> | undefined

/** Returns the slices of one long piece of work. */
export const timeSlices = (): TimeSlices => {
  beginning()
  return () => (performance.now() - beginning() < SLICE_MS ? undefined : nextTurn().then(beginning))
}

/** Long work in steps, none of which takes long. */
export type Steps<T> = Generator<undefined, T>

/** Does work at once. */
export const atOnce = <T>(work: Steps<T>): T => {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Does work in slices, between which others get their turn. */
export const inSlices = async <T>(work: Steps<T>): Promise<T> => {
  const pause = timeSlices()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const turn = pause()
    if (turn) await turn
  }
}
