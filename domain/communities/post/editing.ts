import type { By } from '../reader.ts'
import { type Edit, isShown, type Moderated } from './moderation.ts'

/** What a member changes a text to. */
export type Editing = By & { readonly by_id: number }

interface EditContext {
  readonly before: Moderated
  /** The text as it is now, and as its author wants it. */
  readonly now: Edit
  readonly wanted: Edit
  /** Whether it waits for approval. */
  readonly waits: boolean
  readonly isOwn: boolean
}

interface EditEvents<E> {
  changed(edit: Partial<Edit>): E
  proposed(data: { readonly pending_edit: Edit }): E
  withdrawn(): E
}

const isSame = (a: Edit | null, b: Edit): boolean => a !== null && a.title === b.title && a.body === b.body

const difference = ({ now, wanted }: EditContext): Partial<Edit> => ({
  ...(wanted.title !== undefined && wanted.title !== now.title && { title: wanted.title }),
  ...(wanted.body !== now.body && { body: wanted.body }),
})

/**
 * Returns what becomes of an edit. Where it waits for approval, what was approved stays up, and one back to that withdraws it. What nobody sees yet is
 * changed at once, and goes on waiting.
 */
export const edited = <E>(context: EditContext, make: EditEvents<E>): readonly E[] => {
  const { before, now, wanted, waits, isOwn } = context
  const { pending_edit } = before
  const same = isSame(now, wanted)
  if (waits && isShown(before) && !same)
    return isSame(pending_edit, wanted) ? [] : [make.proposed({ pending_edit: wanted })]
  return [
    ...(same ? [] : [make.changed(difference(context))]),
    ...(pending_edit !== null && isOwn ? [make.withdrawn()] : []),
  ]
}
