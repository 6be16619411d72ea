import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Command } from 'commander'
import sharp from 'sharp'
import { timesOf } from './beside.ts'
import { addImage, callerOf, serveImages, type Workspace } from './image-requests.ts'
import { millraceFile } from './places.ts'
import { type ExpensiveLoad, expensiveImages, ordinaryImages } from './programs/expensive-images.ts'
import { startService } from './service.ts'

/** Measures how a workspace is affected by another that adds images, ordinary ones or such as are small and expensive, and by strangers who ask for them. */

const [READS_PER_SECOND, WRITES_PER_SECOND, IMAGES_PER_SECOND] = [50, 20, 1]
const WARM_UP_SECONDS = 5

/** Starts work a fixed number of times a second, and returns how long each took. */
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

const residentMb = (pid: number): number => {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 1e6
  } catch {
    return 0
  }
}

/** Notes the highest resident memory of a service, and of one of the processes that it started. Linux alone tells. */
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
  const timer = setInterval(look, 50)
  return () => {
    clearInterval(timer)
    return peak
  }
}

/** What the quiet workspace does, for some seconds. */
const quietly = async (origin: string, quiet: Workspace, image: string, seconds: number) => {
  const end = performance.now() + seconds * 1000
  const isOver = () => performance.now() > end
  const call = callerOf(origin, quiet)
  const contacts = `/workspaces/${quiet.id}/contacts`
  const { body } = await call('POST', contacts, { contact: { first_name: 'Read' } })
  const [reads, writes, images] = await Promise.all([
    paced(READS_PER_SECOND, isOver, () => call('GET', `/contacts/${body.id}`)),
    paced(WRITES_PER_SECOND, isOver, (number) => call('POST', contacts, { contact: { first_name: `${number}` } })),
    paced(IMAGES_PER_SECOND, isOver, async () => {
      const { status, body: added } = await addImage(call, quiet, image)
      if (status !== 201) throw new Error(`an image was answered with ${status}`)
      await (await fetch(`${added.url}/small`)).arrayBuffer()
    }),
  ])
  return { reads: timesOf(reads), writes: timesOf(writes), 'images, with a size': timesOf(images) }
}

/** Has another thread add images and ask for them, so that the times that are measured here are those of the service. */
const addImages = (load: ExpensiveLoad): Promise<object> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./programs/expensive-images.js', import.meta.url), { workerData: load })
    thread.once('message', resolve)
    thread.once('error', reject)
  })

const measure = async ({ seconds: text, rounds }: { readonly seconds: string; readonly rounds: string }) => {
  const [seconds, home] = [Number(text), await mkdtemp(path.join(tmpdir(), 'millrace-images-'))]
  const data = path.join(home, 'data')
  const background = { r: 20, g: 60, b: 200 }
  const small = await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .png()
    .toBuffer()
  const [expensive, ordinary, ours] = [await expensiveImages(), await ordinaryImages(), await serveImages([small])]
  const service = await startService(data, { demo: true, env: { MILLRACE_ALLOW_PRIVATE_TARGETS: '1' } })
  const { origin, workspace_id, api_key } = service.ready
  const cli = (...args: string[]) =>
    execFileSync(process.execPath, [millraceFile(), ...args, '--data', data], { encoding: 'utf8' })
  const made = cli('workspace', 'create', '--name', 'Hostile', '--subdomain', 'hostile').trim().split('\n').at(-1)!
  const { workspace_id: id } = JSON.parse(made)
  const hostile = { id, token: cli('keys', 'create', '--workspace', String(id)).match(/mr_[\w-]+/)![0] }
  const part = async (length: number, images?: ExpensiveLoad['images']) => {
    const stop = watchMemory(service.pid)
    const [found, beside] = await Promise.all([
      quietly(origin, { id: workspace_id!, token: api_key! }, ours.url, length),
      images && addImages({ origin, workspace: hostile, seconds: length, images }),
    ])
    return { ...found, 'peak MB': stop(), ...beside }
  }
  try {
    await part(WARM_UP_SECONDS)
    for (let round = 0; round < Number(rounds); round++) {
      const [alone, besideOrdinary] = [await part(seconds), await part(seconds, ordinary)]
      const found = { alone, besideOrdinary, besideExpensive: await part(seconds, expensive) }
      process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
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
