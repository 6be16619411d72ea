import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { isBlankText } from '../../kernel/values/comparable.ts'
import { isJsonObject } from '../../kernel/values/event.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { needsApproval } from '../approval.ts'
import { blockedProblem } from '../block-list.ts'
import { actingIn, type By } from '../reader.ts'
import { sees } from '../visibility.ts'
import { blank, ownerProblem, preparing, stored, type WritingFacts, writingProblem } from './acting.ts'
import { edited } from './editing.ts'
import { post, videoEmbed } from './model.ts'
import { asModerator, moderating } from './moderation.ts'
import { providerOf } from './video.ts'

const { event } = post

/** Loads who acts, and whether it may. Staff are asked about only for what they write. */
const loadFacts = async (
  context: DecisionContext<typeof post, By>,
  read: Reader,
): Promise<WritingFacts | undefined> => {
  const { act, before, wanted, after } = context
  if (wanted.by_id === undefined && act !== 'create' && act !== 'change') return undefined
  await preparing(context)
  const acting = await actingIn(wanted, after.space_id, read)
  const isSeen: Parameters<typeof writingProblem>[2] = (place, member) =>
    before === undefined || sees(before, place, member)
  const of = { acting, community_id: acting.place?.community.id }
  const problem = await writingProblem(context, of, isSeen, read)
  return { ...acting, problem }
}

const write = ({ before, wanted, after, at }: DecisionContext<typeof post, By>, facts: WritingFacts | undefined) => {
  const body = stored(after.body)
  if (before) return facts?.problem ?? { body }
  if (facts?.problem) return facts.problem
  if (!facts?.place) return refuse.notFound()
  const { place, member } = facts
  const written = { community_id: place.community.id, body, approved_at: at }
  if (wanted.by_id === undefined || !member) return written
  if (isBlankText(after.title)) return blank('Title')
  if (!place.space.members_can_post && !member.moderator)
    return refuse.forbidden('Only moderators may post in this space')
  const blocked = place.community.enable_block_list ? blockedProblem({ title: after.title, body }) : undefined
  const approved_at = needsApproval('post', place, member) ? null : at
  return blocked ?? { ...written, contact_id: wanted.by_id, is_pinned: false, approved_at }
}

type PostEdit = { readonly by_id: number; readonly title?: string; readonly body?: string | null }

const edit = ({ before, wanted }: ActContext<typeof post, PostEdit>, facts: WritingFacts | undefined) => {
  const problem = ownerProblem(before.contact_id, wanted, facts)
  if (problem) return problem
  if (!facts?.place || !facts.member) return refuse.notFound()
  const { title = before.title, body = before.body } = wanted
  if (isBlankText(title)) return blank('Title')
  const text = { title, body: stored(body) }
  const { place, member } = facts
  const now = { title: before.title, body: before.body }
  const isOwn = before.contact_id === wanted.by_id
  return (
    (place.community.enable_block_list ? blockedProblem(text) : undefined) ??
    edited(
      { before, now, wanted: text, waits: needsApproval('post', place, member), isOwn },
      {
        changed: (changes) => event.PostChanged(changes),
        proposed: (data) => event.PostEditProposed(data),
        withdrawn: () => event.PostEditWithdrawn(),
      },
    )
  )
}

/** Rules of a post. */
export const posts = decider(post, {
  rules: rules(post, {
    loadFacts,
    save: [write],
    preventRemoval: ({ before, wanted }: ActContext<typeof post, By>, facts) =>
      ownerProblem(before.contact_id, wanted, facts),
    acts: {
      ...moderating({
        approved: () => event.PostApproved(),
        declined: () => event.PostDeclined(),
        editDeclined: () => event.PostEditDeclined(),
        reported: (data) => event.PostReported(data),
        dismissed: () => event.PostReportsDismissed(),
      }),
      edit,
      pin: asModerator(({ before }: ActContext<typeof post, By>) => (before.is_pinned ? [] : [event.PostPinned()])),
      unpin: asModerator(({ before }: ActContext<typeof post, By>) => (before.is_pinned ? [event.PostUnpinned()] : [])),
    },
  }),
})

const knowProvider = ({ after: { url, data } }: DecisionContext<typeof videoEmbed>) =>
  data === null || isJsonObject(data)
    ? { provider: providerOf(url) }
    : refuse.invalid('Data must be an object', 'data', 'type')

/** Rules of videos: who has one follows from its address, whatever was sent. */
export const videoEmbeds = decider(videoEmbed, {
  rules: rules(videoEmbed, { save: [knowProvider] }),
})
