import { type Ask, ask } from '../kernel/decide/ask.ts'
import type { WriteInput } from '../resources/operation.ts'
import { blobOf, KEY_LENGTH, partOf } from './files.ts'
import { image } from './image.ts'

/** Copy of a picture of another host. Its file is stored; its record is still to be made. */
export type CopiedImage = {
  readonly id: number
  readonly file: number
  readonly key: string
  readonly content_type: string
  readonly name: string
}

/** Fetches a picture and stores it as the file of a new image. @returns the copy; or why there is none, worded as the end of a sentence */
export const copyImage = async (
  { mint, token, external }: Pick<WriteInput, 'mint' | 'token' | 'external'>,
  workspaceId: number,
  url: string,
): Promise<CopiedImage | string> => {
  const [id, file] = [mint(image), mint(image)]
  const stored = await external.images.take({ url, workspaceId, blob: blobOf(id), part: partOf(file) })
  if (typeof stored === 'string') return stored
  return { id, file, key: token(KEY_LENGTH), ...stored, name: new URL(url).pathname.split('/').at(-1) || url }
}

/** Returns the command that makes the image of a copy. */
export const addCopiedImage = ({ id, ...copied }: CopiedImage): Ask =>
  ask(image.aggregate, id, 'create', copied, { isNew: true })
