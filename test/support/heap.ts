import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Returns the bytes of the heap that are in use, after everything else was collected. */
export const heapBytes = (): number => {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
