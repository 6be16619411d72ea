/** A call as far as it is known when the server decides whether to misbehave. */
export interface Call {
  readonly method: 'append' | 'read' | 'subscribe' | 'delete'
  /** Absent for $all. */
  readonly stream?: string
}

/**
 * What the server does wrong: break the connection before or after it has done what was asked; never answer, having
 * done it or not; do it only when the connection has been broken; let somebody else append to the stream first; say
 * that it is not ready; send every event of a read twice; take its time to look through the log; cut a subscriber off as too slow.
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
