import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import type { RecordedEvent } from '../../../domain/kernel/event.ts'
import { readConfig } from '../../config.ts'
import { createLogger } from '../../runtime/logger.ts'
import { openStores } from '../../runtime/stores.ts'
import type { ArchiveLine } from '../../transfer/format.ts'
import { importArchive } from '../../transfer/import.ts'
import { settingsOf, withControl } from '../session.ts'

interface Flags {
  readonly data?: string
  readonly from?: string
  readonly to?: string
  readonly stream?: string
}

const PROGRESS_EVERY = 10_000

const queryOf = (flags: Flags, follow: boolean): string => {
  const query = new URLSearchParams()
  for (const name of ['from', 'to', 'stream'] as const) if (flags[name] !== undefined) query.set(name, flags[name])
  if (follow) query.set('follow', '1')
  return query.toString()
}

const print = async (text: string): Promise<void> => {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

const events =
  (follow: boolean) =>
  (flags: Flags): Promise<void> =>
    withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
      let count = 0
      const say = () => process.stderr.write(`\r${count} events`)
      for await (const event of client.lines<RecordedEvent>('GET', `/events?${queryOf(flags, follow)}`)) {
        await print(`${JSON.stringify(event)}\n`)
        if (++count % PROGRESS_EVERY === 0 && !follow) say()
      }
      if (!follow) {
        say()
        process.stderr.write('\n')
      }
    })

const archive = (file: string, flags: { readonly data?: string }): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    const out = createWriteStream(file, { mode: 0o600 })
    let count = 0
    for await (const line of client.lines<ArchiveLine>('GET', '/archive')) {
      if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, 'drain')
      if ('event' in line && ++count % PROGRESS_EVERY === 0) process.stderr.write(`\r${count} events`)
      if ('end' in line) process.stderr.write(`\r${line.end.events} events, digest ${line.end.sha256}\n`)
    }
    await new Promise<void>((resolve) => out.end(resolve))
  })

async function* linesOf(file: string): AsyncGenerator<ArchiveLine> {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line) as ArchiveLine
}

const restore = async (file: string, flags: { readonly data?: string }): Promise<void> => {
  const config = readConfig(settingsOf({ MILLRACE_DATA: flags.data }))
  const stores = await openStores(config, createLogger('warn'))
  try {
    const target = { ...stores, atOnce: config.eventStoreUrl ? 1 : 256 }
    const said = (count: number) => process.stderr.write(`\r${count} events`)
    const { events: count, sha256 } = await importArchive(target, linesOf(file), said)
    process.stderr.write(`\r${count} events, digest ${sha256}: verified\n`)
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
  withRange(group.command('tail').description('print events as they happen')).action(events(true))
  withRange(group.command('export').description('print the events that are there'))
    .option('--archive <file>', 'instead, write all that `import` needs to move the log to another installation')
    .action((flags: Flags & { readonly archive?: string }) =>
      flags.archive === undefined ? events(false)(flags) : archive(flags.archive, flags),
    )
  group
    .command('import <file>')
    .description(
      'put an archive into an empty log, or go on with one that was interrupted; the service must not be running',
    )
    .option('--data <directory>', 'data directory')
    .action(restore)
}
