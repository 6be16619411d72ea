import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Command } from 'commander'
import { openMailComposer } from '../infra/mail/composer.ts'
import { HOSTILE_MAILS, type HostileMail } from '../test/support/hostile-mails.ts'
import { BUSINESS } from '../test/support/records/emails.ts'
import { timesOf } from './beside.ts'
import { programFile } from './places.ts'
import { type Answer, type Caller, caller, openWorkspace, pacing } from './quiet-workspace.ts'
import { startService } from './service.ts'

/** Measures for how long hostile mails hold the event loop, how a workspace beside them is affected, and what memory their thread needs. */

const LOOK_MS = 5
const READS_PER_SECOND = 20
const LIMITS_MIB = [8, 12, 16, 24, 32, 48, 64]

interface Seen {
  readonly number: number
  readonly held: number
  readonly worked: number
  readonly resident: number
}

/** Returns a function that asks a service how long its loop was held since the last time. */
const looker = (pid: number, file: string): (() => Promise<Seen>) => {
  let last = 0
  const read = (): Seen | undefined => {
    try {
      return JSON.parse(readFileSync(file, 'utf8'))
    } catch {
      // It is being written, or was not yet.
      return undefined
    }
  }
  return async () => {
    process.kill(pid, 'SIGUSR2')
    let seen = read()
    for (; !seen || seen.number <= last; seen = read()) await wait(LOOK_MS)
    last = seen.number
    return seen
  }
}

/** Prepares a workspace for broadcasts. @returns what broadcasts have in common */
const prepare = async ({ workspaceId, call }: Caller, recipients: number) => {
  const at = `/workspaces/${workspaceId}`
  const made = async (to: string, body: object): Promise<Answer> => {
    const { status, body: answer } = await call('POST', to, body)
    if (status >= 300) throw new Error(`${to}: ${status} ${JSON.stringify(answer)}`)
    return answer
  }
  await call('PUT', `${at}/emails/settings`, { marketing_setting: BUSINESS })
  const address = await made(`${at}/emails/addresses`, { emails_address: { username: 'news', name: 'Shop' } })
  const topic = await made(`${at}/emails/topics`, { emails_topic: { name: 'News' } })
  const custom_attributes = { big: 'x'.repeat(5000) }
  for (let n = 0; n < recipients; n++)
    await made(`${at}/contacts`, {
      contact: { email_address: `p${n}@far.example`, first_name: 'Ann', custom_attributes },
    })
  const filter = await made(`${at}/contacts/filters`, { text: 'first name is Ann' })
  const common = { from_email: address.email_address, topic_ids: [topic.id], filter_id: String(filter.stable_id) }
  return { common, made }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

/** Saves a mail, and sends it where it is taken. @returns what came of it */
const send = async (call: Caller['call'], at: string, html_body: string, { common, made }: Prepared) => {
  const emails_broadcast = { ...common, name: 'Hostile', subject: 'Hi', html_body }
  const { status, body } = await call('POST', `${at}/emails/broadcasts`, { emails_broadcast })
  if (status !== 201) return status === 422 ? 'refused' : `${status} ${JSON.stringify(body)}`
  await made(`/emails/broadcasts/${body.id}/send_actions`, { emails_broadcasts_send_action: {} })
  for (;;) {
    const { body: shown } = await call('GET', `/emails/broadcasts/${body.id}`)
    if (shown.complete_at !== null) break
    await wait(50)
  }
  const { body: stats } = await call('GET', `/emails/broadcasts/${body.id}/stats`)
  return Object.entries(stats.outcomes)
    .filter(([, count]) => Number(count) > 0)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ')
}

const outcomeWithin = async (mostMib: number, { html, values = {} }: HostileMail): Promise<'sent' | 'failed'> => {
  const composer = openMailComposer({ key: Buffer.alloc(32, 1), origin: () => 'https://mail.example', mostMib })
  const address = 'ada@far.example'
  const letter = {
    texts: { subject: 'Hi', preheadline: null, html_body: html, text_body: null },
    ...{ from: { name: 'Shop', address: 'hi@shop.example' }, replyTo: null, footer: null },
    ...{ tracksOpens: true, tracksClicks: true, domain: 'shop.example', returnDomain: 'shop.example' },
  }
  const recipient = { deliveryId: 1, to: { name: '', address }, values, now: 0, timeZone: 'UTC' }
  const composing = Array.from({ length: 2 }, () => composer.compose({ workspaceId: 1, letter, recipient }))
  const outcomes = await Promise.allSettled(composing)
  await composer.close()
  return outcomes.every(({ status }) => status === 'fulfilled') ? 'sent' : 'failed'
}

/** Returns the least memory of the thread, in MiB, with which two mails of each come to what they should. */
const leastMemory = async (): Promise<number | undefined> => {
  for (const limit of LIMITS_MIB) {
    let isEnough = true
    for (const mail of HOSTILE_MAILS) isEnough &&= (await outcomeWithin(limit, mail)) === mail.comes
    if (isEnough) return limit
  }
  return undefined
}

const measure = async ({ recipients, alone }: { readonly recipients: string; readonly alone: string }) => {
  const home = await mkdtemp(path.join(tmpdir(), 'millrace-hostile-'))
  const data = path.join(home, 'data')
  const LOOP_WATCH = path.join(home, 'loop.json')
  const NODE_OPTIONS = `--import=${pathToFileURL(programFile('loop-watch'))}`
  const env = { LOOP_WATCH, NODE_OPTIONS, MILLRACE_MAIL_RATE: '1000000/1m', MILLRACE_MAIL_WARM_UP: 'no' }
  const service = await startService(data, { demo: true, env })
  try {
    const { origin, workspace_id, api_key } = service.ready
    const hostile = caller(origin, Number(workspace_id), api_key!)
    const quiet = openWorkspace(origin, data, 'quiet')
    const { body: contact } = await quiet.call('POST', `/workspaces/${quiet.workspaceId}/contacts`, {
      contact: { email_address: 'quiet@example.com' },
    })
    const prepared = await prepare(hostile, Number(recipients))
    const look = looker(service.pid, LOOP_WATCH)
    const reads: number[] = []
    let isOver = false
    const reading = pacing(
      READS_PER_SECOND,
      () => isOver,
      async () => {
        const begun = performance.now()
        await quiet.call('GET', `/contacts/${contact.id}`)
        reads.push(performance.now() - begun)
      },
    )
    await look()
    await wait(Number(alone) * 1000)
    const before = { reads: timesOf(reads.splice(0)), ...(await look()) }
    const entries: { name: string; came: string; held: number; worked: number; resident: number }[] = []
    for (const { name, html } of HOSTILE_MAILS) {
      const came = await send(hostile.call, `/workspaces/${workspace_id}`, html, prepared)
      const { held, worked, resident } = await look()
      entries.push({ name, came, held, worked, resident })
      process.stderr.write(
        `${worked.toFixed(1).padStart(7)} ms worked, ${held.toFixed(1).padStart(7)} ms held  ${name}: ${came}\n`,
      )
    }
    isOver = true
    await reading
    const held = Math.max(...entries.map((one) => one.held))
    const worked = Math.max(...entries.map((one) => one.worked))
    const resident = Math.max(...entries.map((one) => one.resident))
    const beside = { mails: entries.length, held, worked, resident, reads: timesOf(reads) }
    process.stdout.write(`${JSON.stringify({ alone: before, beside }, null, 2)}\n`)
  } finally {
    await service.stop()
    await rm(home, { recursive: true, force: true })
  }
  process.stdout.write(`${JSON.stringify({ memory_mib: await leastMemory() })}\n`)
}

await new Command('hostile-mails')
  .option('--recipients <number>', 'to how many each mail goes', '5')
  .option('--alone <seconds>', 'for how long the quiet workspace is alone before', '10')
  .action(measure)
  .parseAsync()
process.exit(0)
