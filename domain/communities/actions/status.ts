import { Type } from 'typebox'

/** Shows how far an action is, by which clients of communities follow it. */
export const followed = {
  status: {
    schema: Type.Enum(['queued', 'processing', 'completed']),
    of: ({ status }: { readonly status: string }) => status,
  },
}
