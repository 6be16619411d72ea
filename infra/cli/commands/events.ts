import { createWriteStream } from 'node:fs'
import type { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { readSecret } from '../../data-directory/secret.ts'
import { openForOwner } from '../../owner-only.ts'
import { eventsIn } from '../../transfer/event-range.ts'
import { exportArchive } from '../../transfer/export.ts'
import { openHistory } from '../../transfer/history.ts'
import { refuseUnfinished } from '../../transfer/import-note.ts'
import { checkArchive, restoreArchive } from '../../transfer/restore.ts'
import { makesInstallation } from '../installation.ts'
import { printLine } from '../output.ts'
import { settingsOf } from '../session.ts'

interface Flags {
  readonly data?: string
  readonly from?: string
  readonly to?: string
  readonly stream?: string
}

const PROGRESS_EVERY = 10_000

const numberIn = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  throw new Error(`--${name} must be a position, such as 1200, not '${text}'`)
}

const printCount = (count: number): void => {
  if (count % PROGRESS_EVERY === 0) process.stderr.write(`\r${count} events`)
}

/** Prints events from the log itself, with or without a running service. */
const print =
  (follow: boolean) =>
  async (flags: Flags): Promise<void> => {
    const range = {
      from: numberIn('from', flags.from),
      to: numberIn('to', flags.to),
      stream: flags.stream,
      follow,
    }
    const history = await openHistory(readConfig(settingsOf({ MILLRACE_DATA: flags.data })))
    let count = 0
    for await (const event of eventsIn(history.log, range)) {
      await printLine(JSON.stringify(event))
      if (!follow) printCount(++count)
    }
    await history.close()
    process.stderr.write(`\r${count} events\n`)
  }

const archive = async (file: string, flags: { readonly data?: string }): Promise<void> => {
  const history = await openHistory(readConfig(settingsOf({ MILLRACE_DATA: flags.data })))
  await refuseUnfinished(history.importNote)
  const out = createWriteStream(file, { fd: openForOwner(file) })
  let count = 0
  for await (const line of exportArchive(history)) {
    await printLine(JSON.stringify(line), out)
    if ('event' in line) printCount(++count)
    if ('end' in line) process.stderr.write(`\r${line.end.events} events, digest ${line.end.sha256}\n`)
  }
  await new Promise<void>((resolve) => out.end(resolve))
  await history.close()
}

const restore = async (file: string, flags: { readonly data?: string }): Promise<void> => {
  const config = readConfig(settingsOf({ MILLRACE_DATA: flags.data }))
  await checkArchive(file, readSecret(config.data, config.secret))
  // Loaded only now: they are most of the program, and the other commands need none of it.
  const [{ openLogger }, { openStores }] = await Promise.all([
    import('../../runtime/logger.ts'),
    import('../../stores/open.ts'),
  ])
  const stores = await openStores({ ...config, moving: true }, await openLogger('warn', config.logFormat))
  try {
    const onProgress = (count: number) => process.stderr.write(`\r${count} events`)
    const { events: count, sha256 } = await restoreArchive(stores, file, onProgress)
    process.stderr.write(`\r${count} events, digest ${sha256}: verified\n`)
    process.stderr.write(
      'It is a copy until you say otherwise: a start sends, charges and fires nothing before `millrace copy release`.\n',
    )
  } finally {
    await stores.close()
  }
}

const withRange = (command: Command): Command =>
  command
    .option('--from <position>', 'first position')
    .option('--to <position>', 'last position')
    .option('--stream <name>', 'only this stream, such as contact-123')
    .option('--data <directory>', 'data directory')

export const addEvents = (program: Command): void => {
  const group = program.command('events').description('the log, as lines of JSON; personal data stays sealed')
  withRange(group.command('tail').description('print events as they happen')).action(print(true))
  withRange(group.command('export').description('print the events that are there'))
    .option('--archive <file>', 'instead, write all that `import` needs to move the log to another installation')
    .action((flags: Flags & { readonly archive?: string }) =>
      flags.archive === undefined ? print(false)(flags) : archive(flags.archive, flags),
    )
  makesInstallation(group.command('import <file>'))
    .description(
      'put an archive into an empty log, or go on with one that was interrupted; the service must not be running',
    )
    .option('--data <directory>', 'data directory')
    .action(restore)
}
