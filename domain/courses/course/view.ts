import { Type } from 'typebox'
import { imageUrl } from '../../media/public.ts'
import { nullableString } from '../../resources/schemas.ts'
import type { Loader } from '../../resources/view-types.ts'

/** Shows where the image of a record is. */
export const pictured = {
  schema: nullableString,
  of: ({ image_id }: { readonly image_id: number | null }, load: Loader) => imageUrl(image_id, load),
}

/** What the contract shows and nothing here has. */
export const withoutSharing = {
  sharing_fingerprint: { schema: nullableString, of: () => null },
  comments_enabled: { schema: Type.Boolean({ description: 'Lessons have no comments' }), of: () => false },
}
