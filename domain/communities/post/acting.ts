import type { Reader } from '../../kernel/decide/rules.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { authorProblem } from '../author.ts'
import { readMentions, withoutNames } from '../mentions.ts'
import { type Acting, type By, outsideProblem, type WholePlace } from '../reader.ts'
import { readersAmong } from '../standing.ts'
import type { Member } from '../visibility.ts'
import type { ActingFacts, Edit } from './moderation.ts'

/** Most contacts whom one text may mention. */
const MOST_MENTIONS = 1000

/** Refusal of a text without anything that is seen. */
export const blank = (label: 'Title' | 'Body'): Refusal =>
  refuse.invalid(`${label} can't be blank`, label.toLowerCase(), 'blank')

/** Returns HTML as it is stored: what mentions say is left out, since their names are filled in when it is shown. */
export const stored = (html: string | null): string | null => html && withoutNames(html)

/** Prepares in turns what rules ask about texts. */
export const preparing = ({ wanted, after }: PreparedTexts): Promise<unknown> =>
  Promise.all([wanted.body, after.body].map(readMentions))

interface PreparedTexts {
  readonly wanted: { readonly body?: string | null }
  readonly after: { readonly body: string | null }
}

interface Text {
  /** Text that somebody wants to write; `undefined`: none. */
  readonly wanted: string | null | undefined
  /** Texts that were there before. Whom they mention may be mentioned on. */
  readonly before: readonly (string | null)[]
}

/** Returns why a text may not mention those whom it mentions: one of them does not see it. */
const mentionProblem = async (
  { wanted, before }: Text,
  place: WholePlace | undefined,
  read: Reader,
): Promise<Refusal | undefined> => {
  if (!wanted || !place) return undefined
  const known = new Set((await Promise.all(before.map(readMentions))).flat())
  const added = (await readMentions(wanted)).filter((id) => !known.has(id))
  if (added.length > MOST_MENTIONS)
    return refuse.invalid(`Body mentions more than ${MOST_MENTIONS} contacts`, 'body', 'too_long')
  const readers = await readersAmong(added, place, read)
  return added.every((id) => readers.has(id))
    ? undefined
    : refuse.invalid('Body mentions a contact who does not see this', 'body', 'inclusion')
}

/** Facts about who writes, edits, moderates or reports. */
export interface WritingFacts extends ActingFacts {
  readonly place: WholePlace | undefined
}

/** Returns why somebody may not act, as far as that follows from where it is: staff may, and members where they see all. @param isSeen whether the record that it is about is seen */
export const actingProblem = (
  { by_id }: By,
  acting: Acting,
  isSeen: (place: WholePlace, member: Member) => boolean = () => true,
): Refusal | undefined => {
  if (by_id === undefined) return undefined
  const outside = outsideProblem(acting)
  if (outside) return outside
  const { place, member } = acting
  return place && member && isSeen(place, member) ? undefined : refuse.notFound()
}

interface Writing {
  readonly act: string
  readonly wanted: By & { readonly body?: string | null }
  readonly before: { readonly body: string | null; readonly pending_edit: Pick<Edit, 'body'> | null } | undefined
  readonly after: { readonly contact_id: number | null }
}

/** Returns why something may not be written or changed so, by whoever acts, for whom it names and of whom it mentions. */
export const writingProblem = async (
  { act, wanted, before, after }: Writing,
  { acting, community_id }: { readonly acting: Acting; readonly community_id: number | undefined },
  isSeen: (place: WholePlace, member: Member) => boolean,
  read: Reader,
): Promise<Refusal | undefined> =>
  actingProblem(wanted, acting, isSeen) ??
  (act === 'create' && community_id !== undefined
    ? await authorProblem(wanted.by_id ?? after.contact_id, community_id, read)
    : undefined) ??
  (await mentionProblem(
    { wanted: wanted.body, before: before ? [before.body, before.pending_edit?.body ?? null] : [] },
    acting.place,
    read,
  ))

/** Returns why a member may not change or remove what a contact wrote: others than the author only may if they moderate. */
export const ownerProblem = (
  contactId: number | null,
  { by_id }: By,
  facts: ActingFacts | undefined,
): Refusal | undefined => {
  if (by_id === undefined) return undefined
  if (facts?.problem) return facts.problem
  return contactId === by_id || facts?.member?.moderator
    ? undefined
    : refuse.forbidden('Only the author and moderators may do this')
}
