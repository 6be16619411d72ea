import { fairTurns } from '../fair-turns.ts'
import { createDecoder } from './decoder/decoder.ts'
import { DecodingStopped } from './decoder/decoder-process.ts'
import { DRAWING, type ImageMade, type ImageTask, type ResizeTask } from './decoder/task.ts'

/** Pictures that are decoded at a time: one of a workspace, so that whoever keeps one process busy leaves others the second. */
const TURNS = { atOnce: 2, perKey: 1, waitingPerKey: 100, waitMs: 20_000 }

/** Decodes images in processes of their own, in turns of their workspaces. Texts that are returned say why an image is refused. */
export interface ImageDecoding {
  /** Returns an image as it may be kept. @throws {NoTurn} */
  clean(workspaceId: number, content: Uint8Array): Promise<ImageMade | string>
  /** Returns whether sizes can be made of a clean image. @throws {NoTurn} */
  check(workspaceId: number, image: ImageMade): Promise<boolean | string>
  /** Returns a size; `undefined` if it cannot be made. @param load reads the image, in its turn @throws {NoTurn} */
  resize(workspaceId: number, load: () => Promise<Omit<ResizeTask, 'kind'>>): Promise<ImageMade | undefined>
  close(): Promise<void>
}

const tooExpensive = (reason: string): string =>
  `takes too much ${reason === 'time' ? 'time' : 'memory'} to be read: 15 s and 400 MB are allowed`

const resultIfStopped = (error: unknown): DecodingStopped => {
  if (error instanceof DecodingStopped) return error
  throw error
}

/** @param limitMs how long a picture may take */
export const imageDecoding = (limitMs?: number): ImageDecoding => {
  const decoder = createDecoder(limitMs)
  const turns = fairTurns(TURNS)
  const run = (workspaceId: number, load: () => Promise<ImageTask>): Promise<ImageMade | string | DecodingStopped> =>
    turns.run(workspaceId, async () => {
      const task = await load()
      const result = await decoder.run(task).catch(resultIfStopped)
      return 'problem' in result ? result.problem : result
    })
  return {
    async clean(workspaceId, content) {
      const result = await run(workspaceId, async () => ({ kind: 'clean', content }))
      return result instanceof DecodingStopped ? tooExpensive(result.reason) : result
    },
    async check(workspaceId, { content, type, unscaled }) {
      if (unscaled) return false
      const result = await run(workspaceId, async () => ({ kind: 'decode', content, type }))
      // The structure of a drawing has been read as a whole. What its decoder does not draw, browsers may.
      if (typeof result === 'string') return type === DRAWING ? false : result
      return !(result instanceof DecodingStopped)
    },
    async resize(workspaceId, load) {
      const result = await run(workspaceId, async () => ({ kind: 'resize', ...(await load()) }))
      return typeof result === 'string' || result instanceof DecodingStopped || result.unscaled ? undefined : result
    },
    close: () => decoder.close(),
  }
}
