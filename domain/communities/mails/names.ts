import { type contact, isContactKept } from '../../contacts/public.ts'
import type { Locale, TellingDeps } from '../../emails/public.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { plainText } from '../../resources/plain-text.ts'
import { mentionsIn } from '../mentions.ts'

const WORDS: Readonly<Record<Locale, { readonly member: string; readonly former: string }>> = {
  en: { member: 'Member', former: 'former member' },
  ja: { member: 'メンバー', former: '退会したメンバー' },
  pt: { member: 'Membro', former: 'ex-membro' },
}

type Contact = RecordOf<typeof contact>

/** Returns how a member is called: by its name, and without one by a number, never by anything of its address. */
export const memberName = (of: Contact | undefined, locale: Locale): string => {
  const { member, former } = WORDS[locale]
  if (!of || !isContactKept(of)) return former
  const name = [of.first_name, of.last_name].filter((part) => part).join(' ')
  return name.trim() || `${member} ${of.id}`
}

/** Characters of a text that a mail quotes, at most. */
const MOST_QUOTED = 300
/** Names that are filled into a text, at most. */
const MOST_NAMES = 100

/** Who wrote something, and what, as a mail says it. */
export interface Quoted {
  readonly author: string
  readonly excerpt: string
}

/** Cuts a text between characters. */
const cut = (text: string): string => {
  const characters = Array.from(text.slice(0, MOST_QUOTED * 4))
  return characters.length > MOST_QUOTED
    ? `${characters
        .slice(0, MOST_QUOTED - 1)
        .join('')
        .trimEnd()}…`
    : text
}

/** Returns who wrote something, and its beginning as text, with the names that those mentioned have now. */
export const quoted = async (
  { contact_id, body }: { readonly contact_id: number | null; readonly body: string | null },
  { contacts, locale }: Pick<TellingDeps, 'contacts' | 'locale'>,
): Promise<Quoted> => {
  const mentioned = mentionsIn(body).slice(0, MOST_NAMES)
  const people = await contacts([...new Set([...(contact_id === null ? [] : [contact_id]), ...mentioned])])
  const nameOf = (id: number) => memberName(people.get(id), locale)
  return {
    author: contact_id === null ? WORDS[locale].former : nameOf(contact_id),
    excerpt: cut(plainText(body ?? '', { mention: (id) => nameOf(Number(id)) })),
  }
}
