import { contact, isContactKept } from '../../contacts/public.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import { mentionsIn } from '../../resources/html/safe-html.ts'
import { plainTextInSlices } from '../../resources/plain-text.ts'
import { nullableString } from '../../resources/schemas.ts'
import type { Loader } from '../../resources/view-types.ts'

const openContact = recordOf(contact)

/** Contacts whose names are looked up for a text. */
const MOST_NAMES = 1000
const OTHER = 'Member'

/** Returns how those are called whom HTML mentions, by the ids in it. Who is deleted or erased is missing. */
const namesIn = async (html: string, load: Loader): Promise<ReadonlyMap<string, string>> => {
  const mentioned = mentionsIn(html)
  const ids = mentioned.slice(0, MOST_NAMES).map(Number).filter(Number.isSafeInteger)
  const found = (await load.many(contact.name, ids)).map(openContact).filter(isContactKept)
  return new Map([
    ...mentioned.slice(MOST_NAMES).map((id) => [id, OTHER] as const),
    ...found.map(({ id, public_id, first_name, last_name }) => {
      const name = load.seesPersonalData ? [first_name, last_name].flatMap((part) => part?.trim() || []).join(' ') : ''
      return [String(id), name || `${OTHER} ${public_id}`] as const
    }),
  ])
}

/** Shows the text of HTML that somebody wrote, with the names that those whom it mentions have now. */
export const bodyShown = {
  schema: nullableString,
  async of({ body }: { readonly body: string | null }, load: Loader): Promise<string | null> {
    if (body === null) return null
    const names = await namesIn(body, load)
    return plainTextInSlices(body, { mention: (id) => names.get(id) })
  },
}
