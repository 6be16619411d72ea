import { setTimeout as sleep } from 'node:timers/promises'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { windows } from '../http/windows.ts'

const WINDOW_MS = 15 * 60_000

/** Failures within a window after which an address is asked to wait: for one account, and for all. */
const MOST_OF_PAIR = 10
const MOST_OF_SOURCE = 100
/** Failures after which a browser that has signed in before is like any other. */
const MOST_OF_KNOWN = 10
/** Failures of an account, from all addresses, after which attempts are delayed. */
const MOST_OF_ACCOUNT = 20

const STEP_MS = 50
const LONGEST_MS = 1000
/** Attempts that are delayed at once. Further ones are not: the queue of passwords bounds them. */
const MOST_DELAYED = 200

/** Attempt to prove who one is. */
export interface Attempt {
  /** Address of the network from which it comes. */
  readonly source: string
  /** What it is for, in a form that does not depend on whether there is such an account. */
  readonly account: string
  /** Name of a browser in which the account has signed in before. */
  readonly known?: string | undefined
  /** Failures of the account, from all addresses, after which only browsers that are known may try. Default: it is only delayed. */
  readonly mostOfAccount?: number
}

/** Slows failing attempts down, so that nobody can be locked out by others. */
export interface Slowing {
  /**
   * Counts an attempt as a failure until it is known to be none, and delays it where the account has many.
   *
   * @returns what takes the count back
   * @throws {Refusal} tooMany, for an address with too many failures
   */
  begin(attempt: Attempt): Promise<() => void>
}

/** Creates the slowing. @param isOn tests and load switch it off */
export const slowing = (isOn: boolean): Slowing => {
  if (!isOn) return { begin: async () => () => undefined }
  const windowOf = windows<string>(WINDOW_MS)
  let delayed = 0

  const delay = async (used: number): Promise<void> => {
    const ms = Math.min(LONGEST_MS, Math.max(0, used - MOST_OF_ACCOUNT) * STEP_MS)
    if (ms === 0 || delayed >= MOST_DELAYED) return
    delayed++
    try {
      await sleep(ms)
    } finally {
      delayed--
    }
  }

  return {
    async begin({ source, account, known, mostOfAccount = Number.POSITIVE_INFINITY }) {
      const ofKnown = known === undefined ? undefined : windowOf(`known ${known}`)
      if (ofKnown && ofKnown.used < MOST_OF_KNOWN) {
        ofKnown.used++
        return () => void ofKnown.used--
      }
      const [ofSource, ofPair, ofAccount] = [
        windowOf(`source ${source}`),
        windowOf(`pair ${source} ${account}`),
        windowOf(`account ${account}`),
      ]
      const bounds = [
        [ofPair, MOST_OF_PAIR],
        [ofSource, MOST_OF_SOURCE],
        [ofAccount, mostOfAccount],
      ] as const
      const [full] = bounds.find(([window, most]) => window.used >= most) ?? []
      if (full) throw refuse.tooMany('too many attempts failed', Math.ceil((full.endsAt - performance.now()) / 1000))
      const counted = [ofSource, ofPair, ofAccount]
      for (const window of counted) window.used++
      await delay(ofAccount.used)
      return () => {
        for (const window of counted) window.used--
      }
    },
  }
}
