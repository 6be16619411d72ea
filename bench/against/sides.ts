import type { Running } from '../child.ts'
import type { DataSets } from '../data-sets.ts'
import type { Effort } from '../rounds.ts'
import { type ServiceOptions, type ServiceReady, startService } from '../service.ts'

/** One of two builds that are compared. */
export interface Side {
  readonly root: string
  readonly data: DataSets
}

export type SideName = 'ours' | 'theirs'

/** What every comparison is given. */
export interface Duel {
  readonly effort: Effort
  readonly sides: Readonly<Record<SideName, Side>>
  /** A fresh, empty directory, gone after the run. */
  readonly scratch: (name: string) => Promise<string>
  /** Says what is going on; for people. */
  readonly tell: (text: string) => void
}

export type Service = Running<ServiceReady>

/** Does something for each side, one after the other. */
export const forBoth = async <T>(
  { sides }: Duel,
  act: (side: Side, name: SideName) => Promise<T>,
): Promise<Record<SideName, T>> => ({
  ours: await act(sides.ours, 'ours'),
  theirs: await act(sides.theirs, 'theirs'),
})

/** Starts services by the function it gives to the action, and stops all of them when that has ended. */
export const withServices = async <T>(
  action: (start: (side: Side, data: string, options?: ServiceOptions) => Promise<Service>) => Promise<T>,
): Promise<T> => {
  const started: Service[] = []
  try {
    return await action(async ({ root }, data, options = {}) => {
      const service = await startService(data, { ...options, root })
      started.push(service)
      return service
    })
  } finally {
    await Promise.all(started.map((service) => service.stop()))
  }
}
