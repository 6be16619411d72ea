import { memberName, readersAmong, readMentions } from '../../../domain/communities/public.ts'
import { contact, isContactKept } from '../../../domain/contacts/public.ts'
import { recordOf } from '../../../domain/kernel/model/fold.ts'
import type { HtmlHooks } from '../../../domain/resources/html/safe-html.ts'
import { filled } from '../../html/filled.ts'
import { hooksFor } from '../written.ts'
import type { InCommunity, InSpace } from './access.ts'

const open = recordOf(contact)

/** How contacts are called. Those who are deleted or erased are missing. */
export type Names = ReadonlyMap<number, string>

/** Returns how contacts are called by those who read a community. */
export const namesOf = async (
  { request: { reading }, words }: InCommunity,
  ids: readonly (number | null)[],
): Promise<Names> => {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  const found = (await reading.load.many(contact.name, wanted)).map(open).filter(isContactKept)
  return new Map(found.map((one) => [one.id, memberName(one) ?? filled(words.member, { id: one.public_id })]))
}

/** Returns how the author of something is called. What no contact wrote is of the business. */
export const authorOf = ({ request, words }: InCommunity, id: number | null, names: Names): string =>
  id === null ? request.business : (names.get(id) ?? words.formerMember)

/** Returns what is filled into texts: the names of those whom they mention, as far as these still see what is in the space, and images. */
export const mentionsOf = async (
  at: InSpace,
  texts: readonly (string | null)[],
): Promise<Required<Omit<HtmlHooks, 'video'>>> => {
  const ids = [...new Set((await Promise.all(texts.map(readMentions))).flat())]
  const names = await namesOf(at, [...(await readersAmong(ids, at.place, at.read))])
  return { ...hooksFor(at.request), mention: (id) => names.get(Number(id)) }
}
