import type { Document } from '../kernel/ports/read-models.ts'
import type { Loader } from '../resources/view-types.ts'
import { IMAGES } from './files.ts'

/** Returns where an image is served to everybody. */
export const urlOfImage = ({ id, key }: Document, load: Pick<Loader, 'publicUrl'>): string =>
  load.publicUrl(`${IMAGES}${id}/${key}`)

/** Returns where the image is that a record refers to; `null` without one. */
export const imageUrl = async (id: number | null, load: Loader): Promise<string | null> => {
  const image = await load.one('image', id)
  return image ? urlOfImage(image, load) : null
}
