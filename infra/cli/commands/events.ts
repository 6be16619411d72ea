import { once } from 'node:events'
import type { Command } from 'commander'
import type { RecordedEvent } from '../../../domain/kernel/event.ts'
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

const withRange = (command: Command): Command =>
  command
    .option('--from <position>', 'first position')
    .option('--to <position>', 'last position')
    .option('--stream <name>', 'only this stream, such as contact-123')
    .option('--data <directory>', 'data directory')

export const addEvents = (program: Command): void => {
  const group = program.command('events').description('the log, as lines of JSON; personal data stays sealed')
  withRange(group.command('tail').description('print events as they happen')).action(events(true))
  withRange(group.command('export').description('print the events that are there')).action(events(false))
}
