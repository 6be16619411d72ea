import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Command } from 'commander'
import sharp from 'sharp'
import { hungryDrawing, hungryFilter, hungryJpeg, slowDrawing, slowFilter } from '../test/support/expensive-images.ts'
import { timesOf } from './beside.ts'
import { millraceFile } from './places.ts'
import { startService } from './service.ts'

/** Measures how a workspace is affected by another that adds images which are small and expensive, and by strangers who ask for them. */

const [READS_PER_SECOND, WRITES_PER_SECOND, UPLOADS_PER_SECOND] = [50, 20, 1]
const [UPLOADERS, STRANGERS] = [8, 8]
/** Strangers pause, since an original that is served in place of a size can be large: what it costs to send it is not the question. */
const PAUSE_MS = 250
const WARM_UP_SECONDS = 5

interface Workspace {
  readonly id: number
  readonly token: string
}

interface Answer {
  readonly status: number
  readonly body: { readonly id: number; readonly url: string }
}

/** Sends requests of one workspace. */
const caller =
  (origin: string, { token }: Workspace) =>
  async (method: string, to: string, body?: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${origin}/api/v2${to}`, { method, headers, ...sent })
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }

const uploadTo = (call: ReturnType<typeof caller>, { id }: Workspace, url: string): Promise<Answer> =>
  call('POST', `/workspaces/${id}/images`, { image: { upload_source_url: url } })

/** Serves the images by the number in their path. */
const serveImages = async (images: readonly Buffer[]) => {
  const server = createServer(({ url }, response) => response.end(images[Number(url?.slice(1)) % images.length]))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

/** Starts work a fixed number of times a second, and notes how long each takes. */
const paced = async (perSecond: number, isOver: () => boolean, work: (number: number) => Promise<unknown>) => {
  const times: number[] = []
  const all: Promise<void>[] = []
  const first = performance.now()
  for (let number = 0; !isOver(); number++) {
    await wait(Math.max(0, first + (number * 1000) / perSecond - performance.now()))
    const begun = performance.now()
    all.push(work(number).then(() => void times.push(performance.now() - begun)))
  }
  await Promise.all(all)
  return times
}

/** Repeats work as fast as it goes, on some connections. Returns how often. */
const flooding = async (connections: number, isOver: () => boolean, work: (number: number) => Promise<unknown>) => {
  let number = 0
  const one = async () => {
    while (!isOver()) await work(number++)
  }
  await Promise.all(Array.from({ length: connections }, one))
  return number
}

const residentMb = (pid: number): number => {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 1e6
  } catch {
    return 0
  }
}

/** Highest resident memory of a service, and of one of the processes that it started. Linux alone tells. */
const watchMemory = (pid: number) => {
  const peak = { service: 0, decoder: 0 }
  const look = () => {
    if (process.platform !== 'linux') return
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    peak.service = Math.max(peak.service, Math.round(residentMb(pid)))
    peak.decoder = Math.max(peak.decoder, ...children.map((child) => Math.round(residentMb(child))))
  }
  const timer = setInterval(look, 20)
  return () => {
    clearInterval(timer)
    return peak
  }
}

/** What the quiet workspace does, for some seconds. */
const quietly = async (origin: string, quiet: Workspace, small: string, isOver: () => boolean) => {
  const call = caller(origin, quiet)
  const contacts = `/workspaces/${quiet.id}/contacts`
  const { body } = await call('POST', contacts, { contact: { first_name: 'Read' } })
  const [reads, writes, uploads] = await Promise.all([
    paced(READS_PER_SECOND, isOver, () => call('GET', `/contacts/${body.id}`)),
    paced(WRITES_PER_SECOND, isOver, (number) => call('POST', contacts, { contact: { first_name: `${number}` } })),
    paced(UPLOADS_PER_SECOND, isOver, async () => {
      const { status, body: image } = await uploadTo(call, quiet, small)
      if (status !== 201) throw new Error(`an image was answered with ${status}`)
      await (await fetch(`${image.url}/small`)).arrayBuffer()
    }),
  ])
  return { reads: timesOf(reads), writes: timesOf(writes), 'images, with a size': timesOf(uploads) }
}

/** Adds expensive images and asks for their sizes, until it is over. */
const expensively = async (origin: string, hostile: Workspace, url: string, isOver: () => boolean) => {
  const call = caller(origin, hostile)
  const shown: string[] = []
  const answers: Record<string, number> = {}
  const [uploads, sizes] = await Promise.all([
    flooding(UPLOADERS, isOver, async (number) => {
      const { status, body } = await uploadTo(call, hostile, `${url}${number}`)
      answers[status] = (answers[status] ?? 0) + 1
      if (status === 201) shown.push(body.url)
      else await wait(100)
    }),
    flooding(STRANGERS, isOver, async (number) => {
      const image = shown[number % Math.max(shown.length, 1)]
      await wait(PAUSE_MS)
      if (image !== undefined) await (await fetch(`${image}/${number % 2 === 0 ? 'x-large' : 'large'}`)).arrayBuffer()
    }),
  ])
  return { uploads, answers, sizes }
}

const measure = async ({ seconds: text, rounds }: { readonly seconds: string; readonly rounds: string }) => {
  const home = await mkdtemp(path.join(tmpdir(), 'millrace-images-'))
  const data = path.join(home, 'data')
  const small = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#14c' } })
    .png()
    .toBuffer()
  const jpeg = await hungryJpeg(10_000)
  const expensive = [hungryFilter(), slowDrawing(), hungryDrawing(), slowFilter(), ...Array<Buffer>(7).fill(jpeg)]
  const [theirs, ours] = [await serveImages(expensive), await serveImages([small])]
  const service = await startService(data, { demo: true, env: { MILLRACE_ALLOW_PRIVATE_TARGETS: '1' } })
  const { origin, workspace_id, api_key } = service.ready
  const cli = (...args: string[]) =>
    execFileSync(process.execPath, [millraceFile(), ...args, '--data', data], { encoding: 'utf8' })
  const made = JSON.parse(
    cli('workspace', 'create', '--name', 'Hostile', '--subdomain', 'hostile').trim().split('\n').at(-1)!,
  )
  const token = cli('keys', 'create', '--workspace', String(made.workspace_id)).match(/mr_[\w-]+/)![0]
  const [quiet, hostile] = [
    { id: workspace_id!, token: api_key! },
    { id: made.workspace_id as number, token },
  ]
  const phase = async (work: (isOver: () => boolean) => Promise<unknown>, seconds = Number(text)) => {
    const end = performance.now() + seconds * 1000
    const isOver = () => performance.now() > end
    const stop = watchMemory(service.pid)
    const [found, beside] = await Promise.all([quietly(origin, quiet, ours.url, isOver), work(isOver)])
    return { ...found, 'peak MB': stop(), beside }
  }
  try {
    await phase(async () => undefined, WARM_UP_SECONDS)
    for (let round = 0; round < Number(rounds); round++) {
      const alone = await phase(async () => undefined)
      const beside = await phase((isOver) => expensively(origin, hostile, theirs.url, isOver))
      process.stdout.write(`${JSON.stringify({ alone, beside }, null, 2)}\n`)
    }
  } finally {
    await service.stop()
    await rm(home, { recursive: true, force: true })
  }
}

await new Command('images')
  .option('--seconds <number>', 'how long each part of a round takes', '30')
  .option('--rounds <number>', 'how often both parts are measured', '2')
  .action(measure)
  .parseAsync()
process.exit(0)
