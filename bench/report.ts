import { median, spread } from './statistics.ts'

/** One measured quantity, with a value for each round. */
export interface Figure {
  readonly label: string
  readonly unit: string
  readonly values: readonly number[]
}

/** A target for the figures. */
export interface Target {
  readonly says: string
  readonly value: number
  readonly unit: string
  /** Without `atLeast` and `atMost` the target is only reported. */
  readonly atLeast?: number
  readonly atMost?: number
  /** The goal, beyond the limit in the same direction. */
  readonly goal?: number
}

/** Result of one benchmark. */
export interface Finding {
  readonly benchmark: string
  readonly title: string
  readonly figures: readonly Figure[]
  readonly targets: readonly Target[]
  /** Further notes for the reader, such as a side that was left out. */
  readonly notes?: readonly string[]
}

export const isMet = ({ value, atLeast, atMost }: Target): boolean =>
  (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost)

/** Formats a number for people. */
export const number = (value: number): string =>
  value.toLocaleString('en-GB', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0 })

const isLimited = ({ atLeast, atMost }: Target): boolean => atLeast !== undefined || atMost !== undefined

const wanted = ({ atLeast, atMost, unit }: Target): string =>
  atLeast === undefined ? `at most ${number(atMost ?? 0)} ${unit}` : `at least ${number(atLeast)} ${unit}`

/** Formats the targets and whether they were met, for people. */
export const targetLines = (targets: readonly Target[]): readonly string[] =>
  targets.filter(isLimited).map((target) => {
    const verdict = isMet(target) ? 'met' : 'MISSED'
    return `   → ${target.says.padEnd(84)} ${number(target.value).padStart(10)} ${target.unit}  (${wanted(target)}: ${verdict})`
  })

/** Formats a finding for people. */
export const asText = ({ benchmark, title, figures, targets, notes = [] }: Finding): string =>
  [
    `${benchmark}  ${title}`,
    ...figures.map(({ label, unit, values }) => {
      const range = values.length > 1 ? `  ±${(spread(values) * 100).toFixed(0)} % over ${values.length} rounds` : ''
      return `   ${label.padEnd(58)} ${number(median(values)).padStart(10)} ${unit}${range}`
    }),
    ...targetLines(targets),
    ...notes.map((note) => `   ${note}`),
    '',
  ].join('\n')

const cells = (...texts: readonly string[]): string => `| ${texts.join(' | ')} |`

const limitCell = ({ atLeast, unit }: Target, limit: number | undefined): string =>
  limit === undefined ? '' : `${atLeast === undefined ? '≤' : '≥'} ${number(limit)} ${unit}`

/** Head of the table with the rows of `targetRows`. */
export const TARGET_HEAD: readonly string[] = [
  cells('', '', 'At least', 'Goal', 'Measured'),
  cells(...Array(5).fill('---')),
]

/** Formats targets as rows of a Markdown table. */
export const targetRows = (benchmark: string, targets: readonly Target[]): readonly string[] =>
  targets.map((target) => {
    const { says, atLeast, atMost, goal, value, unit } = target
    const measured = `${number(value)} ${unit}`
    const limits = [limitCell(target, atLeast ?? atMost), limitCell(target, goal)]
    return cells(benchmark, says, ...limits, isMet(target) ? measured : `**${measured}**`)
  })

/** Formats a finding without targets as a separate Markdown table. */
export const costTable = ({ benchmark, title, figures }: Finding): string =>
  [
    '',
    cells(benchmark, `${title[0]?.toUpperCase()}${title.slice(1)}`),
    cells('---', '---'),
    ...figures.map(({ label, unit, values }) => cells(label, `${number(median(values))} ${unit}`)),
  ].join('\n')

/** Formats a finding as one line of JSON. */
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
