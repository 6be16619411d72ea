import { Type } from 'typebox'
import { nullable, nullableString } from '../../resources/schemas.ts'

/** Pictures of other hosts, as answers show them. */
export const picturesSchema = Type.Array(
  Type.Object({
    src: Type.String({ description: 'Address on another host, as the markup has it' }),
    image_id: nullable(Type.Integer({ description: 'Image that the page shows in its place' })),
    problem: { ...nullableString, description: 'Why there is none: the page shows the description in its place' },
  }),
  { description: 'Pictures of other hosts in the markup; with markup' },
)
