import { number, type Target, targetLines } from '../report.ts'
import { median, spread } from '../statistics.ts'

/** One quantity measured on both sides, with a value for each round. */
export interface Comparison {
  readonly label: string
  readonly unit: string
  readonly ours: readonly number[]
  readonly theirs: readonly number[]
  /** Ratio of our value to theirs in each round. */
  readonly ratios: readonly number[]
}

/** Result of one comparison. */
export interface Compared {
  readonly benchmark: string
  readonly title: string
  readonly rows: readonly Comparison[]
  /** Targets for the ratios. */
  readonly targets: readonly Target[]
  readonly notes?: readonly string[]
}

const line = (label: string, ours: string, theirs: string, unit: string, ratio: string): string =>
  `   ${label.padEnd(58)} ${ours.padStart(10)} ${theirs.padStart(10)} ${unit.padEnd(12)} ${ratio}`

/** Formats a comparison as a table for people. */
export const comparedAsText = ({ benchmark, title, rows, targets, notes = [] }: Compared): string =>
  [
    `${benchmark}  ${title}`,
    ...(rows.length > 0 ? [line('', 'ours', 'theirs', '', ' ratio')] : []),
    ...rows.map(({ label, unit, ours, theirs, ratios }) => {
      const range = ratios.length > 1 ? `  ±${(spread(ratios) * 100).toFixed(0)} % over ${ratios.length} rounds` : ''
      const ratio = `${median(ratios).toFixed(2).padStart(6)} ×${range}`
      return line(label, number(median(ours)), number(median(theirs)), unit, ratio)
    }),
    ...targetLines(targets),
    ...notes.map((note) => `   ${note}`),
    '',
  ].join('\n')

/** Formats a comparison as one line of JSON. */
export const comparedAsJson = (compared: Compared): string =>
  JSON.stringify({
    ...compared,
    rows: compared.rows.map((row) => ({
      ...row,
      median: { ours: median(row.ours), theirs: median(row.theirs), ratio: median(row.ratios) },
      spread: spread(row.ratios),
    })),
  })
