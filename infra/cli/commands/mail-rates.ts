import type { Command } from 'commander'
import type { ShownDomain, ShownRates, WantedRates } from '../../operator/mail-rates.ts'
import { settingsOf, withControl } from '../session.ts'
import { linesOf } from '../tables.ts'

interface Flags {
  readonly sending?: string
  readonly receiving?: string
  readonly warmUp?: string
  readonly data?: string
  readonly json?: boolean
}

const HEADINGS = ['DOMAIN', 'TODAY', 'LIMIT OF MARKETING TODAY']

const cells = ({ name, today, limit }: ShownDomain): readonly string[] => [
  name,
  String(today),
  limit === null ? 'none' : String(limit),
]

const textOf = ({ sending, receiving, warm_up, domains }: ShownRates): string =>
  `Sending domains: ${sending}\nReceiving domains: ${receiving}\nWarm-up of new sending domains: ${warm_up}\n` +
  (domains.length === 0 ? '' : `\n${linesOf([HEADINGS, ...domains.map(cells)])}`)

const rates = ({ sending, receiving, warmUp, data, json }: Flags): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: data }), async (client) => {
    const wanted: WantedRates = {
      ...(sending !== undefined && { sending }),
      ...(receiving !== undefined && { receiving }),
      ...(warmUp !== undefined && { warm_up: warmUp }),
    }
    const isOrder = Object.keys(wanted).length > 0
    const shown = await client.ask<ShownRates>(isOrder ? 'POST' : 'GET', '/mail_rates', isOrder ? wanted : undefined)
    process.stdout.write(json ? `${JSON.stringify(shown)}\n` : textOf(shown))
  })

/** Adds the command that shows and orders rates. */
export const addMailRates = (mails: Command): void => {
  mails
    .command('rates')
    .description('how fast mail goes out; what is ordered here counts at once, before the settings')
    .option('--sending <rate>', 'rate of each sending domain, such as 600/1m; none, or default')
    .option('--receiving <rates>', 'rates of receiving domains, such as 300/1m,mail.example=60/1m; none, or default')
    .option('--warm-up <yes|no>', 'whether new sending domains are warmed up; yes, no or default')
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON')
    .action(rates)
}
