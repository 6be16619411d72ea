import type { Command } from 'commander'
import { isJsonObject, type Json, type JsonObject } from '../../../domain/kernel/values/event.ts'
import { csvLine } from '../../../domain/resources/jobs/csv.ts'
import { settingsOf, withControl } from '../session.ts'

interface Flags {
  readonly data?: string
  readonly asOf?: string
  readonly from?: string
  readonly to?: string
  readonly test?: boolean
  readonly csv?: boolean
  readonly json?: boolean
}

/** Headings of the columns of steps, and the fields that they show. */
const COLUMNS: readonly (readonly [heading: string, field: string])[] = [
  ['Step', 'name'],
  ['Path', 'current_path'],
  ['Views', 'views_all'],
  ['Sessions', 'views_unique'],
  ['Opt-ins', 'optins'],
  ['Opt-in rate', 'optin_rate'],
  ['Sales', 'sales_count'],
  ['Sales rate', 'sales_rate'],
  ['Sales value', 'sales_value'],
  ['Subscriptions', 'recurring_sales_count'],
  ['Recurring value', 'recurring_sales_value'],
  ['Refunds', 'refunds_value'],
  ['Per view', 'earnings_per_view'],
  ['Per session', 'earnings_per_unique_view'],
]
const TEXTS = 2

const SUMMARY: readonly (readonly [label: string, field: string])[] = [
  ['Page views', 'pageviews'],
  ['without consent', 'pageviews_without_consent'],
  ['lost', 'pageviews_lost'],
  ['Upfront sales', 'upfront_sales'],
  ['Number of upfront sales', 'upfront_sales_count'],
  ['Average cart value', 'average_cart_value'],
  ['Earnings per click', 'earnings_per_click'],
  ['Recurring sales', 'recurring_sales'],
  ['Refunds', 'refunds'],
  ['Sales in other currencies', 'sales_in_other_currencies'],
]

const objectIn = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
const stepsOf = ({ steps }: JsonObject): readonly JsonObject[] => (Array.isArray(steps) ? steps.map(objectIn) : [])

/** Returns a text as a terminal may be sent it. */
const plain = (value: Json | undefined): string => String(value ?? '').replace(/\p{Cc}+/gu, ' ')

const aligned = (rows: readonly (readonly string[])[], texts: number): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const cell = (text: string, column: number) =>
    column < texts ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)
  return rows.map((row) => `${row.map(cell).join('  ').trimEnd()}\n`).join('')
}

/** Returns statistics as a table for people. */
export const asTable = (stats: JsonObject): string => {
  const { from, to } = objectIn(stats.timerange)
  const summary = objectIn(stats.summary)
  const mode = stats.live_mode === true ? 'live' : 'test'
  const title = `${plain(objectIn(stats.funnel).name)}, ${mode} mode, ${plain(from)} to ${plain(to)}, ${plain(stats.currency)}\n`
  const totals = SUMMARY.map(([label, field]) => [label, plain(summary[field])])
  const steps = stepsOf(stats).map((step) => COLUMNS.map(([, field]) => plain(step[field])))
  const table = steps.length === 0 ? 'No steps.\n' : aligned([COLUMNS.map(([heading]) => heading), ...steps], TEXTS)
  return `${title}\n${aligned(totals, 1)}\n${table}`
}

/** Returns the steps as CSV. What a spreadsheet would take for a formula is made harmless. */
export const asCsv = (stats: JsonObject): string =>
  [
    csvLine(['Funnel', ...COLUMNS.map(([heading]) => heading), 'Currency']),
    ...stepsOf(stats).map((step) =>
      csvLine([objectIn(stats.funnel).name, ...COLUMNS.map(([, field]) => step[field]), stats.currency]),
    ),
  ].join('')

const queryOf = ({ asOf, from, to, test }: Flags): URLSearchParams => {
  const given = { as_of: asOf, timerange_start: from, timerange_end: to, live_mode: test ? 'false' : undefined }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, value)
  return query
}

const showFunnel = (id: string, flags: Flags): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    const path = `/statistics/funnels/${encodeURIComponent(id)}?${queryOf(flags)}`
    const stats = await client.ask<JsonObject>('GET', path)
    const text = flags.json ? `${JSON.stringify(stats)}\n` : flags.csv ? asCsv(stats) : asTable(stats)
    process.stdout.write(text)
  })

export const addStats = (program: Command): void => {
  program
    .command('stats')
    .description('what visitors of funnels did')
    .command('funnel')
    .argument('<id>', 'id or public id of the funnel')
    .description('views, opt-ins and sales of a funnel and of its steps')
    .option('--from <time>', 'beginning; ISO 8601; default: 30 days ago')
    .option('--to <time>', 'end, which is not part of it; default: now')
    .option('--as-of <time>', 'as it would have been answered at this time')
    .option('--test', 'what happened in test mode')
    .option('--data <directory>', 'data directory')
    .option('--csv', 'print the steps as CSV')
    .option('--json', 'print JSON, as the API answers')
    .action(showFunnel)
}
