import type { Running } from './child.ts'
import type { DataSets } from './data-sets.ts'
import type { Finding } from './report.ts'
import type { Effort } from './rounds.ts'
import type { ServiceOptions, ServiceReady } from './service.ts'
import { median } from './statistics.ts'

/** One value of one round; `undefined` where it cannot be had. */
export interface Reading {
  readonly label: string
  readonly unit: string
  readonly value: number | undefined
}

export type Service = Running<ServiceReady>

/** Where a probe is set up: one build of Millrace with its data. */
export interface Ground {
  readonly effort: Effort
  /** Where the package is, built. */
  readonly root: string
  readonly data: DataSets
  /** Starts the service of this build; it is stopped when the probe has ended. */
  readonly start: (data: string, options?: ServiceOptions) => Promise<Service>
  /** What it is measured beside, besides another commit; `undefined` where two commits are compared. */
  readonly bare: (() => Promise<Running<{ readonly api: string }>>) | undefined
  /** A fresh, empty directory, gone after the run. */
  readonly scratch: (name: string) => Promise<string>
  /** Directory for CPU profiles, when they are wanted. */
  readonly profile?: string | undefined
  /** Says what is going on; for people. */
  readonly tell: (text: string) => void
}

/** What a reading must come to at the least, and what is hoped for. */
export interface Wish {
  readonly says: string
  /** Label of the reading. */
  readonly of: string
  readonly atLeast?: number
  readonly atMost?: number
  readonly goal?: number
}

/** What is set up on a ground. */
export interface Prepared {
  /** Takes the readings of one round. */
  read(round: number): Promise<readonly Reading[]>
  /** What a reader must know besides, after all rounds. */
  readonly notes?: () => readonly string[]
}

/** One benchmark: it is set up on one build, or on two that are compared, and read in every round. */
export interface Probe {
  readonly benchmark: string
  readonly title: (effort: Effort) => string
  readonly prepare: (ground: Ground) => Promise<Prepared>
  readonly wishes: readonly Wish[]
  /** Of the ratios to the last version before SQLite. */
  readonly wishesBeforeSqlite?: readonly Wish[]
  /** Where rounds are long. */
  readonly mostRounds?: number
  /** Whether a first round that does not count is needed; default: yes. */
  readonly warmUp?: boolean
}

/** Thrown by a probe that cannot be set up here. */
export class LeftOut extends Error {}

/** The readings of all rounds by label, without those that are missing in some. */
export const columnsOf = (rounds: readonly (readonly Reading[])[]): Finding['figures'] =>
  (rounds[0] ?? []).flatMap(({ label, unit }, at) => {
    const values = rounds.flatMap((readings) => readings[at]?.value ?? [])
    return values.length < rounds.length ? [] : [{ label, unit, values }]
  })

/** What has become of the wishes; those whose reading is missing are left out. */
export const targetsOf = (wishes: readonly Wish[], figures: Finding['figures']): Finding['targets'] =>
  wishes.flatMap(({ of, ...wish }) => {
    const figure = figures.find(({ label }) => label === of)
    return figure ? [{ ...wish, unit: figure.unit, value: median(figure.values) }] : []
  })
