import type { Core } from '../checkout-port.ts'

/** Counts what is under way, and tells `onPending` when the first begins and the last has ended. */
export const createPending = (core: Pick<Core, 'emit'>) => {
  let count = 0
  return {
    begin() {
      if (count++ === 0) core.emit('pending', true)
    },
    end() {
      if (--count === 0) core.emit('pending', false)
    },
  }
}

export type Pending = ReturnType<typeof createPending>
