import { IMAGES } from '../../../domain/media/public.ts'
import { type Html, html } from '../../html/html.ts'
import type { ReaderRequest } from '../request.ts'

/** Returns the picture of a course or a lesson, which its title describes. Its address cannot be guessed, and stands on no page that others see. */
export const pictureOf = async (
  { reading: { load } }: ReaderRequest,
  { image_id }: { readonly image_id: number | null },
): Promise<Html | undefined> => {
  const image = await load.one('image', image_id)
  return image && html`<p><img src="${`${IMAGES}${image.id}/${image.key}/large`}" alt=""></p>`
}
