import type { DataSets } from '../data-sets.ts'
import type { Effort } from '../rounds.ts'

/** What every benchmark is given. */
export interface Setting {
  readonly effort: Effort
  readonly data: DataSets
  /** A fresh, empty directory, gone after the run. */
  readonly scratch: (name: string) => Promise<string>
  /** Directory for CPU profiles, when they are wanted. */
  readonly profile?: string | undefined
  /** Says what is going on; for people. */
  readonly tell: (text: string) => void
}
