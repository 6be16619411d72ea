import { Type } from 'typebox'
import { contact, isContactKept } from '../../contacts/public.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import { plainTextInSlices } from '../../resources/plain-text.ts'
import { nullable, nullableString } from '../../resources/schemas.ts'
import type { Loader } from '../../resources/view-types.ts'
import { memberName } from '../member.ts'
import { readMentions } from '../mentions.ts'
import type { Edit } from './moderation.ts'

const openContact = recordOf(contact)

/** Contacts whose names are looked up for a text. */
const MOST_NAMES = 1000
const OTHER = 'Member'

/** Returns how those are called whom HTML mentions, by the ids in it. Who is deleted or erased is missing. */
const namesIn = async (html: string, load: Loader): Promise<ReadonlyMap<number, string>> => {
  const mentioned = await readMentions(html)
  const found = (await load.many(contact.name, mentioned.slice(0, MOST_NAMES))).map(openContact).filter(isContactKept)
  return new Map([
    ...mentioned.slice(MOST_NAMES).map((id) => [id, OTHER] as const),
    ...found.map((one) => {
      const name = load.seesPersonalData ? memberName(one) : undefined
      return [one.id, name ?? `${OTHER} ${one.public_id}`] as const
    }),
  ])
}

/** Returns the text of HTML that somebody wrote, with the names that those whom it mentions have now. */
const textOf = async (html: string | null, load: Loader): Promise<string | null> => {
  if (html === null) return null
  const names = await namesIn(html, load)
  return plainTextInSlices(html, { mention: (id) => names.get(Number(id)) })
}

/** Shows what somebody wrote, and how its author wants to change it, as text. */
export const textShown = {
  body: {
    schema: nullableString,
    of: ({ body }: Pick<Edit, 'body'>, load: Loader) => textOf(body, load),
  },
  pending_edit: {
    schema: nullable(Type.Object({ title: Type.Optional(Type.String()), body: nullableString })),
    of: async ({ pending_edit }: { readonly pending_edit: Edit | null }, load: Loader) =>
      pending_edit && { ...pending_edit, body: await textOf(pending_edit.body, load) },
  },
}
