import { run } from './child.ts'
import { programFile, ROOT } from './places.ts'
import type { Filled } from './programs/fill.ts'
import type { Effort } from './rounds.ts'

export interface DataSet extends Filled {
  readonly directory: string
}

/** Data directories that several benchmarks share. Each is made at its first use. */
export interface DataSets {
  /** A workspace with a thousand contacts. */
  small(): Promise<DataSet>
  /** A workspace with a hundred thousand contacts, also with `--quick`. */
  middle(): Promise<DataSet>
  /** A workspace with a million contacts. */
  large(): Promise<DataSet>
  /** A history of a million events. */
  history(): Promise<DataSet>
  /** A new workspace with a thousand contacts, for a benchmark that writes into it. */
  fresh(): Promise<DataSet>
}

/** Makes the data sets with the `fill` program of the package at `root`, since each commit may store its data differently. */
export const dataSets = (
  effort: Effort,
  scratch: (name: string) => Promise<string>,
  tell: (text: string) => void,
  root = ROOT,
): DataSets => {
  const made = new Map<string, Promise<DataSet>>()
  const make = async (name: string, kind: 'contacts' | 'history', count: number): Promise<DataSet> => {
    tell(`making ${count.toLocaleString('en-GB')} ${kind === 'history' ? 'events' : 'contacts'}`)
    const directory = await scratch(name)
    const filled = await run<Filled>(programFile('fill', root), { args: [directory, kind, String(count)] })
    const { appending, building } = filled.seconds
    tell(`${filled.events} events appended in ${appending.toFixed(1)} s, read models built in ${building.toFixed(1)} s`)
    return { directory, ...filled }
  }
  const once = (kind: 'contacts' | 'history', count: number): Promise<DataSet> => {
    const name = `${kind}-${count}`
    const known = made.get(name) ?? make(name, kind, count)
    made.set(name, known)
    return known
  }
  return {
    small: () => once('contacts', 1000),
    middle: () => once('contacts', 100_000),
    large: () => once('contacts', effort.million),
    history: () => once('history', effort.million),
    fresh: () => make('fresh', 'contacts', 1000),
  }
}
