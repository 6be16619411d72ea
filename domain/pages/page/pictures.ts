import { recordOf } from '../../kernel/model/fold.ts'
import { isJsonObject, type JsonObject } from '../../kernel/values/event.ts'
import { Refusal } from '../../kernel/values/refusal.ts'
import { inSlices } from '../../kernel/values/turns.ts'
import { addCopiedImage, type CopiedImage, copyImage, imageAt } from '../../media/public.ts'
import type { WriteInput, WriteOperation } from '../../resources/operation.ts'
import { markupProblemInSlices } from '../markup/check.ts'
import { remoteAddress, remotePictures } from '../markup/pictures.ts'
import { parseMarkup } from '../markup/tree.ts'
import { type Picture, page } from './model.ts'

type FollowUps = NonNullable<WriteOperation['followUps']>

/** Most pictures of other hosts in a page that are fetched. */
const MOST = 50
const AT_ONCE = 3
/** No fetch begins later than this after the first one. */
const PATIENCE_MS = 15_000

const failed = (src: string, problem: string): Picture => ({ src, image_id: null, problem })

/** Returns the pictures that need not be fetched: those that the page has a copy of already, and images of the workspace. */
const known = async (
  { document, read }: WriteInput,
  sources: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const before = document ? (recordOf(page)(document).pictures ?? []) : []
  const wanted = sources.flatMap((src) => {
    const own = imageAt(remoteAddress(src)?.pathname ?? '')
    const id = own?.id ?? before.find((one) => one.src === src)?.image_id ?? null
    return id === null ? [] : [{ src, id, key: own?.key }]
  })
  const documents = await read.getMany(
    'image',
    wanted.map(({ id }) => id),
  )
  const there = wanted.filter(({ key }, index) => {
    const found = documents[index]
    return found !== undefined && (key === undefined || found.key === key)
  })
  return new Map(there.map(({ src, id }) => [src, id]))
}

const fetchOne = (input: WriteInput, workspaceId: number, src: string): Promise<CopiedImage | string> => {
  const url = remoteAddress(src)!.href
  return copyImage(input, workspaceId, url).catch((error: unknown) => {
    if (error instanceof Refusal) return `could not be fetched: ${error.message}`
    throw error
  })
}

/** Fetches pictures, a few at a time. What would take too long is left out, and said so. */
const fetchAll = async (input: WriteInput, workspaceId: number, sources: readonly string[]) => {
  const results = new Map<string, CopiedImage | string>()
  const waiting = sources.slice(0, MOST)
  for (const src of sources.slice(MOST)) results.set(src, `is one of more than ${MOST} of other hosts`)
  const until = performance.now() + PATIENCE_MS
  const work = async () => {
    for (let src = waiting.shift(); src !== undefined; src = waiting.shift()) {
      const isLate = performance.now() > until
      results.set(src, isLate ? 'was not fetched: the others took too long' : await fetchOne(input, workspaceId, src))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}

/**
 * Returns what a write of markup adds to its command: the pictures of other hosts in it, each of which is fetched once, and the copies that were made.
 * A page asks no other host for pictures: what cannot be fetched is left out of it, and listed with the reason.
 */
export const withPictures = async (input: WriteInput): Promise<JsonObject> => {
  const { markup } = input.fields
  if (typeof markup !== 'string' || input.document?.external === true) return {}
  if (await markupProblemInSlices(markup)) return {}
  const sources = remotePictures(await inSlices(parseMarkup(markup)))
  const workspaceId = Number((input.document ?? input.owner)?.workspace_id)
  const had = sources.length === 0 ? new Map<string, number>() : await known(input, sources)
  const missing = sources.filter((src) => !had.has(src))
  const fetched = await fetchAll(input, workspaceId, missing)
  const pictures = sources.map((src): Picture => {
    const result = fetched.get(src) ?? had.get(src) ?? ''
    if (typeof result === 'string') return failed(src, result)
    return { src, image_id: typeof result === 'number' ? result : result.id, problem: null }
  })
  const copies = [...fetched.values()].filter((one) => typeof one !== 'string')
  return { pictures, copies }
}

const copyIn = ({ id, file, key, content_type, name }: JsonObject): CopiedImage => ({
  ...{ id: Number(id), file: Number(file), key: String(key) },
  ...{ content_type: String(content_type), name: String(name) },
})

/** Builds follow-ups that also make the images of the copies in a command. */
export const withCopies =
  (followUps: FollowUps): FollowUps =>
  async (input, read, command) => {
    const asks = await followUps(input, read, command)
    if (asks instanceof Refusal) return asks
    const copies = command.wanted?.copies
    return [...asks, ...(Array.isArray(copies) ? copies.filter(isJsonObject).map(copyIn).map(addCopiedImage) : [])]
  }
