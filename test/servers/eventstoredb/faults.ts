/** The facts about a call that the server knows when it decides whether to misbehave. */
export interface Call {
  readonly method: 'append' | 'read' | 'subscribe' | 'delete'
  /** Absent for $all. */
  readonly stream?: string
}

/**
 * Faults of the server: break the connection before or after the request is executed; never answer, with or without
 * executing it; execute it only after the connection is broken; let another writer append to the stream first; answer
 * that it is not ready; send every event of a read twice; scan the log slowly; cut a subscriber off as too slow.
 */
export type Fault =
  | 'dropBefore'
  | 'dropAfter'
  | 'stallBefore'
  | 'stallAfter'
  | 'applyLate'
  | 'overtake'
  | 'notReady'
  | 'duplicate'
  | 'slow'
  | 'cutOff'

/** Chooses a fault for a call, or none. */
export type Misbehaviour = (call: Call) => Fault | undefined

export const wellBehaved: Misbehaviour = () => undefined

/** The fault for the first `times` calls that match, and none after. */
export function faulty(fault: Fault, matches: (call: Call) => boolean, times = 1): Misbehaviour {
  let left = times
  return (call) => {
    if (left === 0 || !matches(call)) return undefined
    left--
    return fault
  }
}
