import { type contact, isContactKept } from '../../contacts/public.ts'
import type { Locale, TellingDeps } from '../../emails/public.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { shortened } from '../../kernel/values/characters.ts'
import { plainTextInSlices } from '../../resources/plain-text.ts'
import { memberName } from '../member.ts'
import { readMentions } from '../mentions.ts'

const WORDS: Readonly<Record<Locale, { readonly member: string; readonly former: string }>> = {
  en: { member: 'Member', former: 'former member' },
  ja: { member: 'メンバー', former: '元メンバー' },
  pt: { member: 'Membro', former: 'ex-membro' },
}

type People = ReadonlyMap<number, RecordOf<typeof contact>>
type Naming = Pick<TellingDeps, 'locale' | 'business'>

/** Returns how a contact is called: by its name, and without one by its public id, never by anything of its address. */
const calledIn = (people: People, id: number, { locale }: Naming): string => {
  const { member, former } = WORDS[locale]
  const of = people.get(id)
  return of && isContactKept(of) ? (memberName(of) ?? `${member} ${of.public_id}`) : former
}

/** Returns how the author of something is called. What no contact wrote is of the business. */
export const authorOf = (id: number | null, people: People, naming: Naming): string =>
  id === null ? naming.business : calledIn(people, id, naming)

/** Characters of a text that a mail quotes, at most. */
const MOST_QUOTED = 300
/** Names that are filled into a text, at most. */
const MOST_NAMES = 100

/** Who wrote something, and what, as a mail says it. */
export interface Quoted {
  readonly author: string
  readonly excerpt: string
}

/** Returns who wrote something, and its beginning as text, with the names that those mentioned have now. */
export const quoted = async (
  { contact_id, body }: { readonly contact_id: number | null; readonly body: string | null },
  deps: TellingDeps,
): Promise<Quoted> => {
  const mentioned = (await readMentions(body)).slice(0, MOST_NAMES)
  const people = await deps.contacts([...new Set([...(contact_id === null ? [] : [contact_id]), ...mentioned])])
  const mention = (id: string) => calledIn(people, Number(id), deps)
  const text = await plainTextInSlices(body ?? '', { mention })
  return { author: authorOf(contact_id, people, deps), excerpt: shortened(text, MOST_QUOTED) }
}
