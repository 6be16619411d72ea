import type { Json } from '../../kernel/values/event.ts'

/** What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection"), in both widths that keyboards have. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * A number or a telephone number: `-5`, `+49 30 901820`, `+1 (800) 555-0100`. It is left as it is, since programs that read the file need it so, and it
 * can do no harm: without a letter it names neither a function nor a cell nor a program. A spreadsheet may calculate with it, as with any number.
 */
const NUMERIC = /^[+-]\(?\d[\d ().-]*$/

/** Neutral for spreadsheets in the usual way, by an apostrophe in front: whoever reads the file otherwise sees it, and nothing else is changed. */
const harmless = (text: string): string => (FORMULA.test(text) && !NUMERIC.test(text) ? `'${text}` : text)

const textOf = (value: Json | undefined): string => {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * One record of a CSV file (RFC 4180), with its line break: nothing for `null`, lists joined by commas, formulas made harmless. In UTF-8 without a
 * byte order mark, which would become part of the first name for most programs.
 */
export const csvLine = (values: readonly (Json | undefined)[]): string => {
  const cells = values.map((value) => quoted(harmless(textOf(value))))
  // A record of one empty cell would be an empty line, which readers pass over.
  return `${cells.length === 1 && cells[0] === '' ? '""' : cells.join(',')}\r\n`
}
