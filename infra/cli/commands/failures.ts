import type { Command } from 'commander'
import type { Failure } from '../../../domain/kernel/react/failure.ts'
import type { FailureShown } from '../../../workers/reactor/failures.ts'
import type { ControlClient } from '../../control/client.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { printLine } from '../output.ts'
import { settingsOf, withControl } from '../session.ts'
import { linesOf, withEach } from '../tables.ts'

interface Flags {
  readonly data?: string
  readonly workspace?: string
  readonly all?: boolean
  readonly json?: boolean
}

const HEADINGS = ['ID', 'REACTION', 'WORKSPACE', 'ATTEMPTS', 'GIVEN UP', 'ERROR']

const cellsOf = ({ id, reaction, workspace_id, attempts, at, error }: Failure): readonly string[] => [
  id,
  reaction,
  String(workspace_id ?? '-'),
  String(attempts),
  at,
  error,
]

/** Yields all failures, or those of one workspace. */
async function* failuresIn(client: ControlClient, { workspace }: Flags): AsyncGenerator<Failure> {
  const query = new URLSearchParams()
  if (workspace !== undefined) query.set('workspace_id', String((await chooseWorkspace(client, workspace)).id))
  for (;;) {
    const page = await client.ask<readonly Failure[]>('GET', `/failures?${query}`)
    yield* page
    const last = page.at(-1)
    if (!last) return
    query.set('after', last.id)
  }
}

const pathOf = (id: string): string => `/failures/${encodeURIComponent(id)}`

const listFailures = (flags: Flags): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    const rows: (readonly string[])[] = []
    for await (const failure of failuresIn(client, flags)) {
      if (flags.json) await printLine(JSON.stringify(failure))
      else rows.push(cellsOf(failure))
    }
    if (rows.length > 0) process.stdout.write(linesOf([HEADINGS, ...rows]))
    else if (!flags.json) process.stdout.write('Nothing was given up.\n')
  })

const showFailure = (id: string, flags: Flags): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    const failure = await client.ask<FailureShown>('GET', pathOf(id))
    const { reaction, workspace_id, attempts, at, error, position, event } = failure
    const rows = [
      ['id', failure.id],
      ['reaction', reaction],
      ['workspace', String(workspace_id ?? '-')],
      ['attempts', String(attempts)],
      ['given up', at],
      ['error', error],
      ['event', event ? `${event.type} at position ${position}` : `none at position ${position}`],
      ...(event
        ? [
            ['stream', event.stream],
            ['happened', event.at],
          ]
        : []),
    ]
    process.stdout.write(flags.json ? `${JSON.stringify(failure)}\n` : linesOf(rows))
  })

const retryFailures = (given: readonly string[], flags: Flags): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), async (client) => {
    if (given.length > 0 === (flags.all === true)) throw new Error('name the failures to retry, or give --all')
    const ids = [...given]
    // All are listed first, so that one that fails again at once is not retried a second time.
    if (flags.all) for await (const { id } of failuresIn(client, flags)) ids.push(id)
    await withEach(ids, (id) => client.ask('POST', `${pathOf(id)}/retry`), 'is tried again')
  })

const dropFailures = (ids: readonly string[], flags: Flags): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), (client) =>
    withEach(ids, (id) => client.ask('DELETE', pathOf(id)), 'is dropped'),
  )

export const addFailures = (program: Command): void => {
  const failures = program.command('failures').description('what was given up in the background after many tries')
  failures
    .command('list')
    .description('what was given up and waits for somebody to decide')
    .option('--workspace <id>', 'only of this workspace')
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON lines')
    .action(listFailures)
  failures
    .command('show <id>')
    .description('one failure, with the event that was reacted to')
    .option('--data <directory>', 'data directory')
    .option('--json', 'print JSON')
    .action(showFailure)
  failures
    .command('retry [ids...]')
    .description('try again, from the first attempt')
    .option('--all', 'everything that `list` lists')
    .option('--workspace <id>', 'with --all: only of this workspace')
    .option('--data <directory>', 'data directory')
    .action(retryFailures)
  failures
    .command('drop <ids...>')
    .description('forget: it is never tried again')
    .option('--data <directory>', 'data directory')
    .action(dropFailures)
}
