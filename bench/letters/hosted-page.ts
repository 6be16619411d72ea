import { writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Target } from '../load.ts'
import type { Probe, ProbeContext, Service } from '../probe.ts'
import type { BareAnswer } from '../programs/bare-answers.ts'
import { type Beside, ratesOf, shareLabel } from '../rates.ts'
import { apiOf } from '../service.ts'

const CONNECTIONS = 64
const PAGE = '/landing'
const WHOLE = `GET, the whole page, ${CONNECTIONS} at a time`
const COMPRESSED = `GET, compressed by gzip, ${CONNECTIONS} at a time`
const KNOWN = `GET, not modified, ${CONNECTIONS} at a time`

const PARAGRAPH = 'Mugs that keep coffee hot through the longest of mornings, made by hand and fired twice. '

/** A page of the usual size: text, pictures and an opt-in. */
const MARKUP = [
  '<section><row><column><headline>A mug for every morning</headline>',
  ...Array.from(
    { length: 8 },
    (_, n) => `<subheadline>Reason ${n + 1}</subheadline><paragraph>${PARAGRAPH.repeat(3)}</paragraph>`,
  ),
  '<image src="/mug.jpg" alt="A mug"/><input type="email" label="Email"/><button>Send it to me</button>',
  '</column></row></section>',
].join('')

/** Makes a page of the site, and returns the name of its host. */
const pageOn = async ({ ready }: Service): Promise<string> => {
  const call = apiOf(ready)
  await call('POST', 'pages', { page: { name: 'Landing', current_path: PAGE, markup: MARKUP } })
  const [domain] = await call<readonly { readonly name: string }[]>('GET', 'domains')
  return domain!.name
}

const answerTo = async ({ url, headers }: Target): Promise<BareAnswer> => {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${url}${PAGE}`, { headers }, resolve).once('error', reject).end()
  })
  const body = await buffer(answer)
  // What Node.js adds itself.
  const { connection, date, 'keep-alive': _, 'content-length': __, ...own } = answer.headers
  return { status: answer.statusCode!, headers: own as Record<string, string>, body: body.toString('base64') }
}

/** Starts a server that sends the same answers. */
const sameFrom =
  (ours: Readonly<Record<string, Target>>) =>
  async ({ bare, scratch }: ProbeContext): Promise<Beside | undefined> => {
    if (!bare) return undefined
    const answers: Record<string, BareAnswer> = {}
    for (const [name, target] of Object.entries(ours)) answers[`/${name}`] = await answerTo(target)
    const directory = await scratch('answers')
    const file = path.join(directory, 'answers.json')
    await writeFile(file, JSON.stringify(answers))
    const process = await bare({ name: 'bare-answers', args: [file] })
    const targets = Object.keys(ours).map((name): [string, Target] => {
      const { headers } = ours[name]!
      return [name, { url: process.ready.api, headers: headers!, shots: [{ method: 'GET', path: `/${name}` }] }]
    })
    return { process, targets: Object.fromEntries(targets) }
  }

/** (q) The cost of a hosted page from memory, compared with the same answer from a constant. */
export const hostedPage: Probe = {
  benchmark: 'q',
  title: () => `a hosted page from memory, ${CONNECTIONS} connections`,
  async prepare(context) {
    const service = await context.start(await context.scratch('pages'), { demo: true })
    const host = await pageOn(service)
    const asked = (headers: Readonly<Record<string, string>>): Target => ({
      url: service.ready.public,
      headers: { host, ...headers },
      shots: [{ method: 'GET', path: PAGE }],
    })
    const { headers } = await answerTo(asked({}))
    const targets = {
      whole: asked({}),
      compressed: asked({ 'accept-encoding': 'gzip' }),
      known: asked({ 'if-none-match': headers.etag! }),
    }
    const loads = [
      { label: WHOLE, connections: CONNECTIONS, target: targets.whole, beside: 'whole' },
      { label: COMPRESSED, connections: CONNECTIONS, target: targets.compressed, beside: 'compressed' },
      { label: KNOWN, connections: CONNECTIONS, target: targets.known, beside: 'known' },
    ]
    return ratesOf(context, service, loads, sameFrom(targets))
  },
  targets: [
    { says: "hosted page, share of bare's rate", of: shareLabel(WHOLE), atLeast: 60 },
    { says: "hosted page compressed, share of bare's rate", of: shareLabel(COMPRESSED), atLeast: 60 },
    { says: "hosted page not modified, share of bare's rate", of: shareLabel(KNOWN), atLeast: 60 },
  ],
}
