import { generateKeyPairSync } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { contacts } from '../../domain/contacts/contact/rules.ts'
import { domain } from '../../domain/emails/domain/model.ts'
import { sendingDomains } from '../../domain/emails/domain/rules.ts'
import { beginMailing, mailing } from '../../domain/emails/public.ts'
import { type Ask, ask, stampCommand } from '../../domain/kernel/decide/ask.ts'
import type { RecordCommand } from '../../domain/kernel/decide/rules.ts'
import { keyOfWorkspace } from '../../domain/kernel/model/personal.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { readConfig } from '../../infra/config.ts'
import { outboundClient } from '../../infra/outbound/client.ts'
import { type Background, startBackground } from '../../infra/runtime/background.ts'
import { coreOptionsIn } from '../../infra/runtime/core.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { openStores } from '../../infra/runtime/stores.ts'
import { BENCHMARK, createContact } from '../people.ts'

/**
 * Mails a letter to many. Takes `own` or `alone` (the mail library by itself), a new data directory, the port of the sink, the number of mails, and `signed`
 * where they are; prints `{"perSecond":…,"cpu":…}`, the latter in microseconds of processor time for a mail.
 */
const [, , who, directory = '', port = '', mails = '', signed] = process.argv
const COUNT = Number(mails)
const CONNECTIONS = 20
const MAILS_OF_CONNECTION = 100
const OF_MAILING = 500
const AT_ONCE = 200
const DOMAINS = 100
const PARAGRAPH =
  '<p>Our mugs are thrown by hand, glazed twice and fired slowly, each a little different from the next.</p>'
const HTML = `<html><body><h1>Hello {{ contact.first_name }}</h1>${PARAGRAPH.repeat(20)}<p><a href="https://mugs.example/new">See them</a></p></body></html>`
const SUBJECT = 'New mugs for {{ contact.first_name }}'

const DOMAIN = 'shop.example'
const SENDER = { name: 'Mug Shop', address: `news@${DOMAIN}` }
const SELECTOR = 'bench'
const PEM = { format: 'pem' } as const
const newKey = (): string =>
  generateKeyPairSync('rsa', {
    ...{ modulusLength: 2048, publicKeyEncoding: { type: 'spki', ...PEM } },
    privateKeyEncoding: { type: 'pkcs8', ...PEM },
  }).privateKey

const addressOf = (n: number): string => `person.${n}@d${n % DOMAINS}.example`

const measured = async (work: () => Promise<unknown>): Promise<void> => {
  const started = performance.now()
  const before = process.cpuUsage()
  await work()
  const perSecond = (COUNT * 1000) / (performance.now() - started)
  const { user, system } = process.cpuUsage(before)
  process.stdout.write(`${JSON.stringify({ perSecond, cpu: (user + system) / COUNT })}\n`)
}

/** The same mails, with nothing to decide, render or record. */
const alone = async (): Promise<void> => {
  const transport = createTransport({
    ...{ host: '127.0.0.1', port: Number(port), ignoreTLS: true, pool: true },
    ...{ maxConnections: CONNECTIONS, maxMessages: MAILS_OF_CONNECTION },
    ...(signed && { dkim: { domainName: DOMAIN, keySelector: SELECTOR, privateKey: newKey() } }),
  })
  let next = 0
  const lane = async () => {
    for (let n = next++; n < COUNT; n = next++) {
      const name = `Ada ${n}`
      await transport.sendMail({
        ...{ from: SENDER, to: { name, address: addressOf(n) }, subject: SUBJECT.replace(/{{.*}}/, name) },
        ...{ html: HTML.replace(/{{.*?}}/, name), text: PARAGRAPH.repeat(20), textEncoding: 'quoted-printable' },
      })
    }
  }
  await measured(() => Promise.all(Array.from({ length: CONNECTIONS * 2 }, lane)))
  transport.close()
}

const start = async (isSending: boolean): Promise<Background> => {
  const smtp = `smtp://127.0.0.1:${port}?tls=no&name=bench.example`
  const config = readConfig({ MILLRACE_DATA: directory, SMTP_URL: smtp, MILLRACE_MAIL_WARM_UP: 'no' })
  const die = (error: unknown) => {
    throw error
  }
  const roles = isSending ? config.roles : (['projector'] as const)
  const outbound = outboundClient({ allowPrivate: false })
  return startBackground(await openStores(config), createLogger('warn'), die, roles, outbound, coreOptionsIn(config))
}

const sealed = ({ stores }: Background, workspaceId: number) =>
  stores.vault.seal(keyOfWorkspace(workspaceId), { key: newKey() })

/** Begins mailings to all contacts, which nobody hands over yet. @returns their ids */
const fill = async (background: Background): Promise<readonly number[]> => {
  const { accounts, core } = background
  const owner = { email: 'bench@example.com', firstName: 'Bench', lastName: 'Mark' }
  const teamId = await accounts.foundTeam({ name: 'Bench', owner })
  const workspaceId = await accounts.openWorkspace(teamId, { name: 'Bench', subdomain: 'bench', currency: 'USD' })
  const transact = async (aggregate: Ask['aggregate'], id: number, command: RecordCommand) => {
    const causes = { causationId: `bench-${id}`, correlationId: `bench-${id}` }
    const result = await core.engine.transact({ aggregate, id, command, isNew: true, teamId, workspaceId, ...causes })
    if (result instanceof Refusal) throw result
    return 'position' in result ? result.position : -1
  }
  if (signed) {
    const key = { selector: SELECTOR, public_key: '', sealed: await sealed(background, workspaceId) }
    const asked = ask(sendingDomains, 'new', 'create', { name: DOMAIN, dkim_key: key })
    const id = core.ids.next(domain.name)
    await transact(
      sendingDomains,
      id,
      stampCommand(asked, { at: new Date().toISOString(), actor: BENCHMARK }, id).command,
    )
  }
  const ids: number[] = []
  let position = -1
  for (let n = 0; n < COUNT; n += AT_ONCE) {
    const adding = Array.from({ length: Math.min(AT_ONCE, COUNT - n) }, async (_, index) => {
      const id = core.ids.next('contact')
      ids.push(id)
      const command = createContact(id, n + index)
      const wanted = { ...command.wanted, email_address: addressOf(n + index) }
      return transact(contacts, id, { ...command, wanted })
    })
    position = Math.max(position, ...(await Promise.all(adding)))
  }
  const texts = { subject: SUBJECT, preheadline: null, html_body: HTML, text_body: null }
  const content = { ...texts, footer: null, tracks_opens: true, tracks_clicks: true }
  const begun: number[] = []
  for (let n = 0; n < COUNT; n += OF_MAILING) {
    const what = { class: 'marketing' as const, kind: 'broadcast', cause: `bench-${n}`, sender: SENDER, content }
    const asked = beginMailing({ ...what, contactIds: ids.slice(n, n + OF_MAILING) })
    const id = core.ids.next(mailing.name)
    const { aggregate, command } = stampCommand(asked, { at: new Date().toISOString(), actor: BENCHMARK }, id)
    position = await transact(aggregate, id, command)
    begun.push(id)
  }
  await background.reached(position, 60_000)
  return begun
}

const own = async (): Promise<void> => {
  const filling = await start(false)
  const ids = await fill(filling)
  await filling.stop()
  const background = await start(true)
  const { live } = background.stores.readModels
  const isOver = async () => (await live.getMany(mailing.name, ids)).every((one) => one?.status === 'completed')
  await measured(async () => {
    while (!(await isOver())) await new Promise((go) => setTimeout(go, 20))
  })
  await background.stop()
}

await (who === 'own' ? own() : alone())
process.exit(0)
