import { nextTurn } from '../domain/kernel/values/turns.ts'

export { nextTurn }

/** Milliseconds for which work on many records may hold the event loop. */
const SLICE_MS = 10

/** Creates a function for long loops. It resolves in a later turn of the event loop when the loop has been held for long enough. */
export const timeSlices = (): (() => Promise<unknown> | undefined) => {
  let began = performance.now()
  return () => {
    if (performance.now() - began < SLICE_MS) return undefined
    return nextTurn().then(() => {
      began = performance.now()
    })
  }
}
