import type { Command } from 'commander'
import type { Mailbox } from '../../../domain/kernel/ports/mail-transport.ts'
import type { ControlClient } from '../../control/client.ts'
import type { KeptMail } from '../../mail/files.ts'
import { safePage } from '../../mail/safe-page.ts'
import type { ShownHeld } from '../../operator/held.ts'
import { HELD_KINDS } from '../../operator/held-kinds.ts'
import type { ShownDelivery, ShownMailing } from '../../operator/mails.ts'
import { chooseWorkspace } from '../choose-workspace.ts'
import { printLine } from '../output.ts'
import { settingsOf, withControl } from '../session.ts'
import { linesOf, withEach } from '../tables.ts'
import { addMailRates } from './mail-rates.ts'
import { addMailSuppressions } from './mail-suppressions.ts'

interface Flags {
  readonly data?: string
  readonly workspace?: string
  readonly doubt?: boolean
  readonly held?: boolean
  readonly failed?: boolean
  readonly withheld?: boolean
  readonly kept?: boolean
  readonly all?: boolean
  readonly html?: boolean
  readonly source?: boolean
  readonly json?: boolean
}

type Action = (client: ControlClient) => Promise<void>

const run = (flags: Flags, action: Action): Promise<void> =>
  withControl(settingsOf({ MILLRACE_DATA: flags.data }), action)

/** Yields all mailings, or all mails, with a status. */
async function* everyOne<T extends { readonly id: number }>(
  client: ControlClient,
  { path, status, workspace }: { readonly path: string; readonly status: string; readonly workspace?: string },
): AsyncGenerator<T> {
  const query = new URLSearchParams({ status })
  if (workspace !== undefined) query.set('workspace_id', String((await chooseWorkspace(client, workspace)).id))
  for (;;) {
    const page = await client.ask<readonly T[]>('GET', `${path}?${query}`)
    yield* page
    const last = page.at(-1)
    if (!last) return
    query.set('after', String(last.id))
  }
}

/** A mailing, or something else that is held; by what `release` takes. */
type Listed = ShownMailing | (ShownHeld & { readonly item: string })

const MAILING_HEADINGS = ['MAILING', 'WORKSPACE', 'KIND', 'STATUS', 'REASON', 'BEGUN', 'RECIPIENTS']
const MAIL_HEADINGS = ['MAIL', 'WORKSPACE', 'KIND', 'TO', 'STATUS', 'REASON', 'REPLY', 'HANDED OVER', 'MESSAGE-ID']

const mailingCells = (one: Listed): readonly string[] => [
  ...['item' in one ? one.item : String(one.id), String(one.workspace_id), one.kind, one.status, one.reason ?? '-'],
  ...[one.created_at, 'recipients' in one ? String(one.recipients) : '-'],
]

const recipientOf = ({ contact_id, user_id }: ShownDelivery): string =>
  contact_id === null ? `user ${user_id}` : `contact ${contact_id}`

const mailCells = (one: ShownDelivery): readonly string[] => [
  ...[String(one.id), String(one.workspace_id), one.kind, recipientOf(one), one.status, one.reason ?? '-'],
  ...[one.reply ?? '-', one.taken_at ?? '-', one.message_id],
]

/** Prints a table, or JSON lines. */
const print = async <T>(
  all: AsyncIterable<T>,
  { json }: Flags,
  { headings, cells }: { readonly headings: readonly string[]; readonly cells: (one: T) => readonly string[] },
): Promise<void> => {
  const rows: (readonly string[])[] = []
  for await (const one of all) {
    if (json) await printLine(JSON.stringify(one))
    else rows.push(cells(one))
  }
  if (rows.length > 0) process.stdout.write(linesOf([headings, ...rows]))
  else if (!json) process.stdout.write('There are none.\n')
}

async function* unfinished(client: ControlClient, { held, workspace }: Flags): AsyncGenerator<Listed> {
  const of = workspace === undefined ? {} : { workspace }
  for (const status of held ? ['held'] : ['held', 'paused', 'open'])
    yield* everyOne<ShownMailing>(client, { ...of, path: '/mailings', status })
  for (const kind of HELD_KINDS)
    for await (const one of everyOne<ShownHeld>(client, { ...of, path: `/held/${kind}s`, status: 'held' }))
      yield { ...one, item: `${kind}-${one.id}` }
}

/** Returns the path of what `list` shows under a name. */
const pathOf = (item: string): string => {
  const kind = HELD_KINDS.find((one) => item.startsWith(`${one}-`))
  return kind === undefined
    ? `/mailings/${encodeURIComponent(item)}`
    : `/held/${kind}s/${encodeURIComponent(item.slice(kind.length + 1))}`
}

/** Outcomes of mails that were not even tried. */
const WITHHELD = ['suppressed', 'withheld', 'no_address']

/** Yields what somebody was owed and was kept back. */
async function* withheld(client: ControlClient, workspace: string | undefined): AsyncGenerator<ShownDelivery> {
  for (const status of WITHHELD)
    for await (const one of everyOne<ShownDelivery>(client, {
      ...{ path: '/mails', status },
      ...(workspace !== undefined && { workspace }),
    }))
      if (one.owed) yield one
}

/** Outcomes by which mails are listed. */
const OUTCOMES = [
  { flag: 'doubt', status: 'in_doubt' },
  { flag: 'failed', status: 'failed' },
  { flag: 'kept', status: 'kept' },
] as const

const list = (flags: Flags): Promise<void> =>
  run(flags, async (client) => {
    const { workspace } = flags
    const mails = { headings: MAIL_HEADINGS, cells: mailCells }
    if (flags.withheld) return print(withheld(client, workspace), flags, mails)
    const status = OUTCOMES.find((one) => flags[one.flag])?.status
    if (status === undefined)
      return print(unfinished(client, flags), flags, { headings: MAILING_HEADINGS, cells: mailingCells })
    const of = { path: '/mails', status, ...(workspace !== undefined && { workspace }) }
    return print(everyOne<ShownDelivery>(client, of), flags, mails)
  })

const show = (id: string, flags: Flags): Promise<void> =>
  run(flags, async (client) => {
    const path = `/mailings/${encodeURIComponent(id)}`
    const shown = await client.ask<ShownMailing & { readonly deliveries: readonly ShownDelivery[] }>('GET', path)
    const text =
      linesOf([MAILING_HEADINGS, mailingCells(shown)]) +
      linesOf([MAIL_HEADINGS, ...shown.deliveries.map((one) => mailCells(one))])
    process.stdout.write(flags.json ? `${JSON.stringify(shown)}\n` : text)
  })

const mailboxText = ({ name, address }: Mailbox): string => (name === '' ? address : `${name} <${address}>`)

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal obeys these
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

const textOf = ({ from, to, subject, text }: KeptMail): string =>
  `From: ${mailboxText(from)}\nTo: ${mailboxText(to)}\nSubject: ${subject}\n\n${text}`.replace(CONTROLS, '')

const open = (id: string, flags: Flags): Promise<void> =>
  run(flags, async (client) => {
    const mail = await client.ask<KeptMail>('GET', `/mails/${encodeURIComponent(id)}`)
    const page = () => safePage({ ...mail, from: mailboxText(mail.from), to: mailboxText(mail.to) })
    process.stdout.write(flags.source ? mail.source : flags.html ? page() : textOf(mail))
  })

const release = (given: readonly string[], flags: Flags): Promise<void> =>
  run(flags, async (client) => {
    if (given.length > 0 === (flags.all === true)) throw new Error('name what to release, or give --all')
    const items = [...given]
    if (flags.all)
      for await (const one of unfinished(client, { ...flags, held: true }))
        items.push('item' in one ? one.item : String(one.id))
    await withEach(items, (item) => client.ask('POST', `${pathOf(item)}/release`), 'is released')
  })

const sendAgain = (ids: readonly string[], flags: Flags): Promise<void> =>
  run(flags, (client) =>
    withEach(ids, (id) => client.ask('POST', `/mails/${encodeURIComponent(id)}/send_again`), 'is sent again'),
  )

const DATA = ['--data <directory>', 'data directory'] as const
const WORKSPACE = '--workspace <id>'

export const addMails = (program: Command): void => {
  const mails = program.command('mails').description('what is mailed to contacts, and what became of it')
  mails
    .command('list')
    .description(
      'mailings that are not over: held, paused or open; runs, broadcasts and actions on contacts that are held',
    )
    .option('--held', 'only those that wait for `release`')
    .option('--doubt', 'instead: mails that may or may not have arrived, with their Message-IDs')
    .option('--failed', 'instead: mails that failed')
    .option(
      '--withheld',
      'instead: mails that somebody was owed and that were kept back, as from an address that has bounced',
    )
    .option('--kept', 'instead: mails that were kept as files, which `open` shows')
    .option(WORKSPACE, 'only of this workspace')
    .option(...DATA)
    .option('--json', 'print JSON lines')
    .action(list)
  mails
    .command('show <mailing>')
    .description('one mailing, with each of its mails')
    .option(...DATA)
    .option('--json', 'print JSON')
    .action(show)
  mails
    .command('open <mail>')
    .description('read a mail that was kept as a file')
    .option('--html', 'print a page that shows it without scripts, forms and remote content')
    .option('--source', 'print it as it would have been sent')
    .option(...DATA)
    .action(open)
  mails
    .command('release [items...]')
    .description('send what is held, and let runs, broadcasts and actions go on')
    .option('--all', 'everything that `list --held` lists')
    .option(WORKSPACE, 'with --all: only of this workspace')
    .option(...DATA)
    .action(release)
  mails
    .command('send-again <mails...>')
    .description('send mails again that failed or are in doubt')
    .option(...DATA)
    .action(sendAgain)
  addMailRates(mails)
  addMailSuppressions(mails)
}
