import { setFlagsFromString } from 'node:v8'

/** Growth of the old generation, in percent of what was alive, after which it is collected again. */
const GROWING_PERCENT = 30

/**
 * Bounds the memory of the process by what it uses. Left alone, V8 lets the heap of a busy process grow to four times what is alive, as long as the machine has
 * memory. Must be called before threads are started.
 */
export const boundMemory = (): void => {
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`)
  // The young generation of the main thread has its size by now. The same flag would hold for every thread, in place of the limits that it is given.
  setFlagsFromString('--max-semi-space-size=0')
}
