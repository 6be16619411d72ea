import { Type } from 'typebox'

interface Followed {
  readonly status: string
  readonly target_all: boolean | null
  readonly target_ids: readonly number[] | null
}

/** Shows what an action was asked for and how far it is, as clients of communities read it: whatever was not sent is false, or an empty list. */
export const followed = {
  status: {
    schema: Type.Enum(['queued', 'processing', 'completed']),
    of: ({ status }: Followed) => status,
  },
  target_all: { schema: Type.Boolean(), of: ({ target_all }: Followed) => target_all === true },
  target_ids: { schema: Type.Array(Type.Integer()), of: ({ target_ids }: Followed) => [...(target_ids ?? [])] },
}
