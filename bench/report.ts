import { median, spread } from './statistics.ts'

/** One thing measured, a value a round. */
export interface Figure {
  readonly label: string
  readonly unit: string
  readonly values: readonly number[]
}

/** What the figures must come to. */
export interface Target {
  readonly says: string
  readonly value: number
  readonly unit: string
  readonly atLeast?: number
  readonly atMost?: number
}

/** What one benchmark found. */
export interface Finding {
  readonly benchmark: string
  readonly title: string
  readonly figures: readonly Figure[]
  readonly targets: readonly Target[]
  /** What a reader must know besides, such as a side that was left out. */
  readonly notes?: readonly string[]
}

export const isMet = ({ value, atLeast, atMost }: Target): boolean =>
  (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost)

/** A number as people read it. */
export const number = (value: number): string =>
  value.toLocaleString('en-GB', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0 })

const wanted = ({ atLeast, atMost, unit }: Target): string =>
  atLeast === undefined ? `at most ${number(atMost ?? 0)} ${unit}` : `at least ${number(atLeast)} ${unit}`

/** A finding for people. */
export const asText = ({ benchmark, title, figures, targets, notes = [] }: Finding): string =>
  [
    `${benchmark}  ${title}`,
    ...figures.map(({ label, unit, values }) => {
      const range = values.length > 1 ? `  ±${(spread(values) * 100).toFixed(0)} % over ${values.length} rounds` : ''
      return `   ${label.padEnd(46)} ${number(median(values)).padStart(10)} ${unit}${range}`
    }),
    ...targets.map((target) => {
      const verdict = isMet(target) ? 'met' : 'MISSED'
      return `   → ${target.says.padEnd(44)} ${number(target.value).padStart(10)} ${target.unit}  (${wanted(target)}: ${verdict})`
    }),
    ...notes.map((note) => `   ${note}`),
    '',
  ].join('\n')

/** A finding for programs, on one line. */
export const asJson = (finding: Finding): string =>
  JSON.stringify({
    ...finding,
    figures: finding.figures.map((figure) => ({
      ...figure,
      median: median(figure.values),
      spread: spread(figure.values),
    })),
    targets: finding.targets.map((target) => ({ ...target, met: isMet(target) })),
  })
