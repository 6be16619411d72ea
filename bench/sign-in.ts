import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { residentMemory } from './memory.ts'
import { startService } from './service.ts'
import { median, quantile } from './statistics.ts'

/** Measures signing in: whether its time tells who has an account, and what a flood of it costs others. */

const OWNER = 'owner@example.com'
const PASSWORD = 'a password for the benchmark'
const STATE_MS = 20

const rounded = (value: number): number => Math.round(value * 100) / 100

interface Answer {
  readonly status: number
  readonly ms: number
  readonly cookies: readonly string[]
  readonly text: string
}

/** Sends a form, or loads a page. @param ip address of the network that the proxy in front names */
const ask = async (url: string, fields?: Readonly<Record<string, string>>, cookie = '', ip = '203.0.113.1') => {
  const begun = performance.now()
  const answer = await fetch(url, {
    redirect: 'manual',
    headers: { cookie, 'x-forwarded-for': ip },
    ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
  })
  const text = await answer.text()
  const cookies = answer.headers.getSetCookie().flatMap((set) => set.split(';')[0] ?? [])
  return { status: answer.status, ms: performance.now() - begun, cookies, text } satisfies Answer
}

const tokenIn = ({ text }: Answer): string => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''

/** Lets the first owner in, and gives them a password. */
const setPassword = async (origin: string, link: string): Promise<void> => {
  const entry = (await ask(origin + new URL(link).pathname)).cookies.join('; ')
  const entered = await ask(`${origin}/in`, { form_token: tokenIn(await ask(`${origin}/in`, undefined, entry)) }, entry)
  const session = entered.cookies.join('; ')
  const form_token = tokenIn(await ask(`${origin}/account/password`, undefined, session))
  const { status } = await ask(`${origin}/account/password`, { form_token, password: PASSWORD }, session)
  if (status !== 303) throw new Error(`setting the password was answered with ${status}`)
}

const trying = (origin: string) => (address: string, password: string, ip?: string) =>
  ask(`${origin}/sign-in`, { address, password }, '', ip)

/** Measures attempts that fail, of a known and an unknown address in turn. */
const medians = async (origin: string, attempts: number) => {
  const signIn = trying(origin)
  const known: number[] = []
  const unknown: number[] = []
  for (let at = 0; at < attempts; at++) {
    known.push((await signIn(OWNER, `wrong password ${at}`)).ms)
    unknown.push((await signIn(`nobody${at}@example.com`, `wrong password ${at}`)).ms)
  }
  const [wrong, nobody] = [median(known), median(unknown)]
  return {
    attempts_of_each: attempts,
    wrong_password_ms: rounded(wrong),
    unknown_address_ms: rounded(nobody),
    difference: rounded(Math.abs(wrong - nobody) / Math.min(wrong, nobody)),
  }
}

/** Measures requests of the API, one after the other, until they are to stop. */
const reading = async (url: string, isOver: () => boolean, token: string): Promise<readonly number[]> => {
  const all: number[] = []
  while (!isOver()) {
    const begun = performance.now()
    await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).arrayBuffer()
    all.push(performance.now() - begun)
  }
  return all
}

const latencies = (all: readonly number[]) => ({
  p50: rounded(quantile(all, 0.5)),
  p99: rounded(quantile(all, 0.99)),
  requests: all.length,
})

/** Measures what many sign-ins at once, each of another address, cost memory and the API. */
const flood = async (origin: string, pid: number, { url, token }: { url: string; token: string }, many: number) => {
  const signIn = trying(origin)
  const quietUntil = performance.now() + 3000
  const quiet = await reading(url, () => performance.now() > quietUntil, token)
  const before = residentMemory(pid).total
  let highest = before
  const watch = setInterval(() => {
    highest = Math.max(highest, residentMemory(pid).total)
  }, STATE_MS)
  let isOver = false
  const during = reading(url, () => isOver, token)
  const answers = await Promise.all(
    Array.from({ length: many }, (_, at) => signIn(OWNER, `wrong password ${at}`, `198.51.${at >> 8}.${at & 255}`)),
  )
  isOver = true
  clearInterval(watch)
  const statuses = new Map<number, number>()
  for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const after = await signIn(OWNER, PASSWORD, '203.0.113.7')
  return {
    sign_ins: many,
    answers: Object.fromEntries(statuses),
    memory_growth_mib: Math.round(highest - before),
    api_ms_before: latencies(quiet),
    api_ms_during: latencies(await during),
    right_password_straight_after: after.status,
  }
}

const measure = async (flags: { readonly attempts: string; readonly many: string }): Promise<void> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-sign-in-'))
  // Without the limits of failures, which would end the measurement; the queue of passwords is always there.
  const env = { MILLRACE_BEHIND_PROXY: '1', MILLRACE_FAILED_ATTEMPTS: '0' }
  const service = await startService(path.join(folder, 'data'), { demo: true, env })
  try {
    const { origin, workspace_id, api_key, sign_in } = service.ready
    await setPassword(origin, sign_in ?? '')
    const api = { url: `${origin}/api/v2/workspaces/${workspace_id}`, token: api_key ?? '' }
    const finding = {
      cores: availableParallelism(),
      medians: await medians(origin, Number(flags.attempts)),
      flood: await flood(origin, service.pid, api, Number(flags.many)),
    }
    process.stdout.write(`${JSON.stringify(finding, null, 2)}\n`)
  } finally {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

await new Command('sign-in')
  .option('--attempts <number>', 'attempts of each kind whose times are compared', '200')
  .option('--many <number>', 'sign-ins at once', '200')
  .action(measure)
  .parseAsync()
process.exit(0)
