import { setTimeout as sleep } from 'node:timers/promises'
import { byForm } from '../reliability/form.ts'
import type { Random } from '../support/random.ts'
import { type Processes, ROLES, type Role, STORES, type Store } from './processes.ts'

type Victim = Role | Store

/** A fault that is injected while the service writes, and ended again. */
export interface Fault {
  /** Victim and kind of the fault. */
  readonly name: string
  /** Whether writes must be served again within seconds of its end; not when a process has to start first. */
  readonly isBound: boolean
  /** Injects the fault. Resolves when it is over: the store answers, the process runs, the connection transmits. */
  befall(processes: Processes): Promise<void>
}

const VICTIMS: readonly Victim[] = [...ROLES, ...STORES]
const isStore = (victim: Victim): victim is Store => STORES.some((store) => store === victim)

const killed = (victim: Victim): Fault => ({
  name: `kill ${victim}`,
  isBound: isStore(victim),
  async befall(processes) {
    if (victim === 'documents') await processes.killDocuments()
    else if (victim === 'log') {
      await processes.node.end('SIGKILL')
      await processes.node.start()
    } else await processes.members[victim].kill()
  },
})

const paused = (victim: Victim, forMs: number): Fault => ({
  name: `stop ${victim} for ${Math.round(forMs / 1000)} s`,
  isBound: true,
  async befall({ node, documents, members }) {
    const process = victim === 'log' ? node : victim === 'documents' ? documents : members[victim]
    process.signal('SIGSTOP')
    await sleep(forMs)
    process.signal('SIGCONT')
  },
})

const MANNERS = ['cut', 'stall', 'slow'] as const

const harmed = (role: Role, store: Store, manner: (typeof MANNERS)[number], forMs: number): Fault => ({
  name: `${manner} ${role}–${store} for ${Math.round(forMs / 1000)} s`,
  isBound: true,
  async befall({ members }) {
    const way = members[role].ways[store]
    if (manner === 'slow') way.slow(LATE_MS)
    else way[manner]()
    await sleep(forMs)
    way.mend()
  },
})

/** Delay of a slow connection. */
const LATE_MS = 200
const KILLS = byForm(5, 100)
const PAUSES = byForm(1, 2)
const [PAUSED_LEAST_MS, PAUSED_MOST_MS] = byForm([2000, 5000], [5000, 60_000])
const [HARMED_LEAST_MS, HARMED_MOST_MS] = byForm([1000, 2000], [2000, 30_000])

/** The faults of one run in random order: every kind for each victim at least once. */
export const faultsOf = (chance: Random): readonly Fault[] => {
  const between = (least: number, most: number) => least + chance.below(most - least + 1)
  const faults = [
    ...Array.from({ length: KILLS }, (_, number) => killed(VICTIMS[number % VICTIMS.length]!)),
    ...Array.from({ length: PAUSES }, () =>
      VICTIMS.map((victim) => paused(victim, between(PAUSED_LEAST_MS, PAUSED_MOST_MS))),
    ).flat(),
    ...ROLES.flatMap((role) =>
      STORES.flatMap((store) =>
        MANNERS.map((manner) => harmed(role, store, manner, between(HARMED_LEAST_MS, HARMED_MOST_MS))),
      ),
    ),
  ]
  for (let last = faults.length - 1; last > 0; last--) {
    const other = chance.below(last + 1)
    const [one, two] = [faults[last]!, faults[other]!]
    faults[last] = two
    faults[other] = one
  }
  return faults
}
