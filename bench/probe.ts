import type { Running } from './child.ts'
import type { DataSets } from './data-sets.ts'
import type { Finding } from './report.ts'
import type { Effort } from './rounds.ts'
import type { ServiceOptions, ServiceReady } from './service.ts'
import { median } from './statistics.ts'

/** One value of one round; `undefined` where it cannot be measured. */
export interface Reading {
  readonly label: string
  readonly unit: string
  readonly value: number | undefined
}

export type Service = Running<ServiceReady>

/** The least server for what is measured. */
export type Bare = Running<{ readonly api: string }>

/** Program of such a server, with its arguments. */
export interface BareProgram {
  readonly name: string
  readonly args: readonly string[]
}

/** The setting of a probe: one build of Millrace with its data. */
export interface ProbeContext {
  readonly effort: Effort
  /** Directory of the built package. */
  readonly root: string
  readonly data: DataSets
  /** Starts the service of this build. It is stopped when the probe has ended. */
  readonly start: (data: string, options?: ServiceOptions) => Promise<Service>
  /** Starts the bare server to compare with, or another program like it; `undefined` when two commits are compared. */
  readonly bare: ((program?: BareProgram) => Promise<Bare>) | undefined
  /** Makes an empty directory that is removed after the run. */
  readonly scratch: (name: string) => Promise<string>
  /** Directory for CPU profiles, if they are wanted. */
  readonly profile?: string | undefined
  /** Reports progress to people. */
  readonly tell: (text: string) => void
}

/** The limit and the goal of a reading. */
export interface TargetSpec {
  readonly says: string
  /** Label of the reading. */
  readonly of: string
  readonly atLeast?: number
  readonly atMost?: number
  readonly goal?: number
}

/** A probe that has been set up on a context. */
export interface Prepared {
  /** Takes the readings of one round. */
  read(round: number): Promise<readonly Reading[]>
  /** Notes for the report, after all rounds. */
  readonly notes?: () => readonly string[]
}

/** One benchmark. It is set up on one build, or on two for a comparison, and read in every round. */
export interface Probe {
  readonly benchmark: string
  readonly title: (effort: Effort) => string
  readonly prepare: (context: ProbeContext) => Promise<Prepared>
  readonly targets: readonly TargetSpec[]
  /** Targets for the ratios to the last version before SQLite. */
  readonly targetsBeforeSqlite?: readonly TargetSpec[]
  /** Upper limit for the rounds of a benchmark with long ones. */
  readonly mostRounds?: number
  /** Whether an uncounted first round is needed. Default: yes. */
  readonly warmUp?: boolean
}

/** Error of a probe that cannot be set up here. */
export class ProbeSkipped extends Error {}

/** The readings of all rounds by label, without labels that are missing in a round. */
export const columnsOf = (rounds: readonly (readonly Reading[])[]): Finding['figures'] =>
  (rounds[0] ?? []).flatMap(({ label, unit }, at) => {
    const values = rounds.flatMap((readings) => readings[at]?.value ?? [])
    return values.length < rounds.length ? [] : [{ label, unit, values }]
  })

/** The targets with their measured values, without those whose reading is missing. */
export const targetsOf = (targets: readonly TargetSpec[], figures: Finding['figures']): Finding['targets'] =>
  targets.flatMap(({ of, ...target }) => {
    const figure = figures.find(({ label }) => label === of)
    return figure ? [{ ...target, unit: figure.unit, value: median(figure.values) }] : []
  })
