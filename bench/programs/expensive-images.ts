import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import sharp from 'sharp'
import {
  hungryDrawing,
  hungryFilter,
  hungryJpeg,
  slowDrawing,
  slowFilter,
} from '../../test/support/expensive-images.ts'
import { addImage, callerOf, serveImages, type Workspace } from '../image-requests.ts'

/** Thread that adds expensive images to a workspace for some time, while strangers ask for their sizes. */

export interface ExpensiveLoad {
  readonly origin: string
  readonly workspace: Workspace
  readonly seconds: number
  readonly images: readonly Uint8Array[]
}

const [UPLOADERS, STRANGERS] = [8, 8]
/** Strangers pause, since an original that stands in for a size can be large, and what it costs to send it is not the question. */
const PAUSE_MS = 1000

/** Images that take much memory or time; seven of them are the same photograph. */
export const expensiveImages = async (): Promise<readonly Buffer[]> => [
  ...[hungryFilter(), slowDrawing(), hungryDrawing(), slowFilter()],
  ...Array<Buffer>(7).fill(await hungryJpeg(10_000)),
]

/** Photographs as a page has them. */
export const ordinaryImages = async (): Promise<readonly Buffer[]> => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const photograph = sharp({ create: { width: 1600, height: 1200, channels: 3, background: 'white', noise } })
  return [await photograph.blur(2).jpeg().toBuffer()]
}

/** Repeats work on some connections until it is over. Returns how often. */
const repeating = async (connections: number, isOver: () => boolean, work: (number: number) => Promise<unknown>) => {
  let number = 0
  const one = async () => {
    while (!isOver()) await work(number++)
  }
  await Promise.all(Array.from({ length: connections }, one))
  return number
}

const load = async ({ origin, workspace, seconds, images }: ExpensiveLoad) => {
  const { server, url } = await serveImages(images.map((image) => Buffer.from(image)))
  const end = performance.now() + seconds * 1000
  const isOver = () => performance.now() > end
  const call = callerOf(origin, workspace)
  const shown: string[] = []
  const answers: Record<string, number> = {}
  const [, sizes] = await Promise.all([
    repeating(UPLOADERS, isOver, async (number) => {
      const { status, body } = await addImage(call, workspace, `${url}${number}`)
      answers[status] = (answers[status] ?? 0) + 1
      if (status === 201) shown.push(body.url)
      else await wait(PAUSE_MS)
    }),
    repeating(STRANGERS, isOver, async (number) => {
      await wait(PAUSE_MS)
      const image = shown[number % Math.max(shown.length, 1)]
      if (image !== undefined) await (await fetch(`${image}/${number % 2 === 0 ? 'x-large' : 'large'}`)).arrayBuffer()
    }),
  ])
  server.closeAllConnections()
  server.close()
  return { 'uploads by status': answers, 'sizes asked for': sizes }
}

if (parentPort) parentPort.postMessage(await load(workerData))
