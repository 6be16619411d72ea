import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf } from '../cpu.ts'
import type { Probe, Service } from '../probe.ts'
import { apiOf, type ExternalPage, liveFunnel } from '../service.ts'
import { quantile } from '../statistics.ts'
import { headers, ORIGIN, URL_OF_PAGE, visit } from './visits.ts'

const PER_SECOND = 50
/** One per cent of the forms of a round must be a few. */
const TIMES_AS_LONG = 5
const SUBMIT = 'form to 302'

/** A navigation has the type of its form. */
const { 'content-type': _, ...NAVIGATING } = headers

/** What a form takes along: its nonce and its session. */
type Given = { readonly nonce: string; readonly session: string }

/** Milliseconds of one form: until its nonce had come, and from sending it to the redirect. */
interface Sent {
  readonly nonce: number
  readonly submit: number
}

const timed = async <T>(action: () => Promise<T>): Promise<readonly [T, number]> => {
  const started = performance.now()
  return [await action(), performance.now() - started]
}

/** Calls the SDK's host as a page does. */
const called = async <T>(url: string, body: string): Promise<T> =>
  (await (await fetch(url, { method: 'POST', headers, body })).json()) as T

/** Sends a form of a new contact, as the navigation of a browser does. @throws {Error} when it does not lead on */
const submit = async (sdk: string, { token, url }: ExternalPage, given: Given): Promise<void> => {
  const typed = [
    ['email', `${randomUUID()}@example.com`],
    ['first-name', 'Ann'],
  ]
  const body = new URLSearchParams({ token, url, ...given, data: JSON.stringify(typed) })
  const response = await fetch(`${sdk}/submit`, { method: 'POST', redirect: 'manual', headers: NAVIGATING, body })
  await response.arrayBuffer()
  if (response.status !== 302) throw new Error(`a form was answered by ${response.status}`)
}

/** Lets visitors come and send a form at a steady pace, whether or not earlier ones are answered. */
const sendFor = async (seconds: number, sdk: string, page: ExternalPage): Promise<readonly Sent[]> => {
  const one = async (): Promise<Sent> => {
    const { session } = await called<Pick<Given, 'session'>>(`${sdk}/visits`, visit(page.token))
    const body = JSON.stringify({ ...page, session })
    const [{ nonce }, fetched] = await timed(() => called<Pick<Given, 'nonce'>>(`${sdk}/nonce`, body))
    const [, submitted] = await timed(() => submit(sdk, page, { nonce, session }))
    return { nonce: fetched, submit: submitted }
  }
  const sending: Promise<Sent>[] = []
  const started = performance.now()
  for (let count = 0; count < PER_SECOND * seconds; count++) {
    const wait = started + (count * 1000) / PER_SECOND - performance.now()
    if (wait > 0) await sleep(wait)
    sending.push(one())
  }
  return Promise.all(sending)
}

const readingsOf = (label: string, times: readonly number[]) => [
  { label: `${label}, p50`, unit: 'ms', value: quantile(times, 0.5) },
  { label: `${label}, p99`, unit: 'ms', value: quantile(times, 0.99) },
]

/** (r) A form that a visitor sends: from the navigation to the redirect. The visit is reported and the nonce fetched before. */
export const submits: Probe = {
  benchmark: 'r',
  title: () => `POST /submit of new contacts, ${PER_SECOND} a second, each with a nonce of its own`,
  async prepare({ effort, scratch, start }) {
    const service: Service = await start(await scratch('submits'), { demo: true })
    const { sdk } = service.ready
    const [page] = await liveFunnel(apiOf(service.ready), [URL_OF_PAGE, `${ORIGIN}/thanks`])
    return {
      async read() {
        const { value, cpu } = await cpuOf(service.pid, () => sendFor(TIMES_AS_LONG * effort.seconds, sdk, page!))
        return [
          ...readingsOf(
            SUBMIT,
            value.map((sent) => sent.submit),
          ),
          ...readingsOf(
            'nonce',
            value.map((sent) => sent.nonce),
          ),
          {
            label: 'visit, nonce and form, CPU',
            unit: 'µs',
            value: cpu === undefined ? undefined : cpu / value.length,
          },
        ]
      },
    }
  },
  targets: [
    { says: `form to 302, p50 at ${PER_SECOND}/s`, of: `${SUBMIT}, p50`, atMost: 10 },
    { says: `form to 302, p99 at ${PER_SECOND}/s`, of: `${SUBMIT}, p99`, atMost: 40 },
  ],
}
