import type { Command } from 'commander'
import type { ShownCopy } from '../../operator/copy.ts'
import { settingsOf, withControl } from '../session.ts'

interface Flags {
  readonly data?: string
  readonly json?: boolean
}

const sentenceOf = ({ data, up_to, started_at }: ShownCopy): string => {
  if (data === 'original') return 'These data are no copy, as far as is known.'
  const since = started_at === null ? 'and has not been started yet' : `first started at ${started_at}`
  const copy = `These data are a copy of an installation up to position ${up_to}, ${since}.`
  if (data === 'copy') return `${copy} It was let go on.`
  return `${copy} Nothing leaves the house and no timer or job goes on until \`millrace copy release\`: give that word when the original has been stopped for good.`
}

/** @param word what is asked for; absent: nothing is changed */
const ask = (flags: Flags, word?: 'release' | 'hold'): Promise<void> =>
  withControl(
    settingsOf({ MILLRACE_DATA: flags.data }),
    async (client) => {
      const shown = word
        ? await client.ask<ShownCopy>('POST', `/copy/${word}`)
        : await client.ask<ShownCopy>('GET', '/copy')
      process.stdout.write(flags.json ? `${JSON.stringify(shown)}\n` : `${sentenceOf(shown)}\n`)
    },
    // The command itself must not begin what waits.
    [],
  )

const DATA = ['--data <directory>', 'data directory'] as const
const JSON_LINE = ['--json', 'print JSON'] as const

export const addCopy = (program: Command): void => {
  const copy = program.command('copy').description('whether the data are a copy, of which nothing is sent unasked')
  copy
    .command('show')
    .description('say whether they are, and whether they wait for a word')
    .option(...DATA)
    .option(...JSON_LINE)
    .action((flags: Flags) => ask(flags))
  copy
    .command('release')
    .description('let a copy go on; mailings, runs and actions from before wait for `mails release`')
    .option(...DATA)
    .option(...JSON_LINE)
    .action((flags: Flags) => ask(flags, 'release'))
  copy
    .command('hold')
    .description('say that the data are a copy, before it is started: one that `backup` has made says so itself')
    .option(...DATA)
    .option(...JSON_LINE)
    .action((flags: Flags) => ask(flags, 'hold'))
}
