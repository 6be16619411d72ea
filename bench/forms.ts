import { type Compared, comparedAsJson, comparedAsText } from './against/report.ts'
import { asJson, asText, costTable, type Finding, TARGET_HEAD, targetRows } from './report.ts'

/** An output format for findings. */
export interface Form {
  readonly head?: string
  /** Whether notes go to standard error, because they would break up a table. */
  readonly notesApart?: boolean
  finding(finding: Finding): string
  compared(compared: Compared): string
}

const table = (rows: readonly string[]): string => rows.join('\n')

export const FORMS = {
  text: { finding: asText, compared: comparedAsText },
  json: { finding: asJson, compared: comparedAsJson },
  markdown: {
    head: table(TARGET_HEAD),
    notesApart: true,
    finding: (finding) =>
      finding.targets.length > 0 || finding.figures.length === 0
        ? table(targetRows(finding.benchmark, finding.targets))
        : costTable(finding),
    compared: ({ benchmark, targets }) => table(targetRows(benchmark, targets)),
  },
} satisfies Record<string, Form>
