import { generateKeyPairSync } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { contacts } from '../../domain/contacts/contact/rules.ts'
import { address } from '../../domain/emails/address/model.ts'
import { addresses } from '../../domain/emails/address/rules.ts'
import { domain } from '../../domain/emails/domain/model.ts'
import { sendingDomains } from '../../domain/emails/domain/rules.ts'
import { beginMailing, mailing } from '../../domain/emails/public.ts'
import { type Ask, ask, stampCommand } from '../../domain/kernel/decide/ask.ts'
import { keyOfWorkspace } from '../../domain/kernel/model/personal.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { readConfig } from '../../infra/config.ts'
import { outboundClient } from '../../infra/outbound/client.ts'
import { type Background, startBackground } from '../../infra/runtime/background.ts'
import { coreOptionsIn } from '../../infra/runtime/core.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { boundMemory } from '../../infra/runtime/memory.ts'
import { openStores } from '../../infra/stores/open.ts'
import { residentMemory } from '../memory.ts'
import { BENCHMARK, createContact } from '../people.ts'

/**
 * Mails a letter to many. Takes `fill` (prepares a new data directory), `own` (sends what was prepared) or `alone` (the mail library by itself), the data
 * directory, the port of the sink, the number of mails, and `signed` where they are; prints `{"perSecond":…,"cpu":…,"resident":…}`: microseconds of
 * processor time for a mail, and the most MiB that were resident.
 */
const [, , who, directory = '', port = '', mails = '', signed] = process.argv
const COUNT = Number(mails)
const CONNECTIONS = 20
const MAILS_OF_CONNECTION = 100
const OF_MAILING = 500
const AT_ONCE = 200
const WATCHED_MS = 100
const DOMAINS = 100
/** The least rate at which it is not given up. */
const LEAST_PER_SECOND = 20
const GIVEN_UP_MS = 60_000
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
  let resident = 0
  const look = () => {
    resident = Math.max(resident, residentMemory(process.pid).total)
  }
  const watching = setInterval(look, WATCHED_MS)
  await work()
  look()
  clearInterval(watching)
  const perSecond = (COUNT * 1000) / (performance.now() - started)
  const { user, system } = process.cpuUsage(before)
  process.stdout.write(`${JSON.stringify({ perSecond, cpu: (user + system) / COUNT, resident })}\n`)
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

/** A workspace in which commands are carried out. */
interface Place {
  readonly teamId: number
  readonly workspaceId: number
}

const transact = async ({ core }: Background, place: Place, asked: Ask, id: number): Promise<number> => {
  const { aggregate, command } = stampCommand(asked, { at: new Date().toISOString(), actor: BENCHMARK }, id)
  const causes = { causationId: `bench-${id}`, correlationId: `bench-${id}` }
  const result = await core.engine.transact({ aggregate, id, command, isNew: true, ...place, ...causes })
  if (result instanceof Refusal) throw result
  return 'position' in result ? result.position : -1
}

const addDomain = async (background: Background, place: Place): Promise<void> => {
  const key = { selector: SELECTOR, public_key: '', sealed: await sealed(background, place.workspaceId) }
  const asked = ask(sendingDomains, 'new', 'create', { name: DOMAIN, dkim_key: key })
  await transact(background, place, asked, background.core.ids.next(domain.name))
}

/** Adds the contacts, and waits until all is done that follows from them. @returns their ids, in their place */
const addContacts = async (background: Background) => {
  const { accounts, core, stores } = background
  const owner = { email: 'bench@example.com', firstName: 'Bench', lastName: 'Mark' }
  const teamId = await accounts.foundTeam({ name: 'Bench', owner })
  const workspaceId = await accounts.openWorkspace(teamId, { name: 'Bench', subdomain: 'bench', currency: 'USD' })
  const place = { teamId, workspaceId }
  const sender = { username: 'news', name: SENDER.name, email_address: SENDER.address }
  await transact(background, place, ask(addresses, 'new', 'create', sender), background.core.ids.next(address.name))
  if (signed) await addDomain(background, place)
  const ids: number[] = []
  for (let n = 0; n < COUNT; n += AT_ONCE) {
    const adding = Array.from({ length: Math.min(AT_ONCE, COUNT - n) }, async (_, index) => {
      const id = core.ids.next('contact')
      ids.push(id)
      const { wanted } = createContact(id, n + index)
      const asked = ask(contacts, 'new', 'create', { ...wanted, email_address: addressOf(n + index) })
      return transact(background, place, asked, id)
    })
    await Promise.all(adding)
  }
  const last = await stores.log.lastPosition()
  while ((background.reacted ?? last) < last) await new Promise((go) => setTimeout(go, WATCHED_MS))
  return { place, ids }
}

/** Begins mailings to all contacts, which nobody hands over yet. */
const beginAll = async (background: Background, place: Place, ids: readonly number[]): Promise<void> => {
  const texts = { subject: SUBJECT, preheadline: null, html_body: HTML, text_body: null }
  const content = { ...texts, footer: null, tracks_opens: true, tracks_clicks: true }
  let position = -1
  for (let n = 0; n < COUNT; n += OF_MAILING) {
    const what = { class: 'marketing' as const, kind: 'broadcast', cause: `broadcast-1-${n}`, sender: SENDER, content }
    const asked = beginMailing({ ...what, contactIds: ids.slice(n, n + OF_MAILING) })
    position = await transact(background, place, asked, background.core.ids.next(mailing.name))
  }
  await background.reached(position, 600_000)
}

const fill = async (): Promise<void> => {
  const adding = await start(true)
  const { place, ids } = await addContacts(adding)
  await adding.stop()
  const beginning = await start(false)
  await beginAll(beginning, place, ids)
  await beginning.stop()
  process.stdout.write('{}\n')
}

const own = async (): Promise<void> => {
  boundMemory()
  const background = await start(true)
  const { live } = background.stores.readModels
  const open = Array.from({ length: Math.ceil(COUNT / OF_MAILING) }, (_, index) => index + 1)
  const until = Date.now() + GIVEN_UP_MS + (COUNT * 1000) / LEAST_PER_SECOND
  await measured(async () => {
    while (open.length > 0)
      if (Date.now() > until) throw new Error(`mailings ${open.join(', ')} do not end`)
      else if ((await live.get(mailing.name, open.at(-1) ?? 0))?.status === 'completed') open.pop()
      else await new Promise((go) => setTimeout(go, 20))
  })
  await background.stop()
}

await { fill, own, alone }[who as 'fill' | 'own' | 'alone']()
process.exit(0)
