import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, rules } from '../../kernel/decide/rules.ts'
import { differs } from '../../kernel/model/derived-events.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { markupProblem, serializeMarkup } from '../../pages/public.ts'
import { isVisible, post } from './model.ts'

type Post = DecisionContext<typeof post>

/** Dates a post that begins as a public one. A later change never does. */
const date = ({ before, after, at }: Post) =>
  !before && after.visibility === 'public' && after.published_at === null ? { published_at: at } : undefined

/** A scheduled post has a time to come. One that is due already is public, whatever else is changed about it. */
const schedule = ({ before, after, wanted, at }: Post) => {
  if (after.visibility !== 'scheduled') return undefined
  if (after.published_at === null)
    return refuse.invalid("Published at can't be blank for a scheduled post", 'published_at', 'blank')
  if (after.published_at > at) return undefined
  const isDue =
    before?.visibility === 'scheduled' && wanted.visibility === undefined && wanted.published_at === undefined
  if (isDue) return { visibility: 'public' as const }
  return refuse.invalid('Published at must be in the future for a scheduled post', 'published_at', 'past')
}

/** Serializes a new body. One that is no page markup is refused. */
const body = ({ before, after, wanted }: Post) => {
  if (typeof wanted.markup !== 'string') return undefined
  if (before && !differs(before.markup, wanted.markup)) return undefined
  const problem = markupProblem(wanted.markup)
  if (problem) return refuse.malformed(`Invalid markup: ${problem.message}`, 'markup', 'invalid')
  return { markup: serializeMarkup(after.markup ?? '') }
}

/** Notes since when a post has been visible. */
const turn = ({ before, after, at }: Post) => {
  const since = before?.visible_since ?? null
  return { visible_since: isVisible({ ...after, visible_since: since ?? at }, at) ? (since ?? at) : null }
}

const appear = ({ before, at }: ActContext<typeof post>) =>
  before.visible_since === null && isVisible(before, at) ? [post.event.BlogPostAppeared()] : []

/** Rules of a blog post. */
export const posts = decider(post, {
  rules: rules(post, { save: [date, schedule, body, turn], acts: { appear }, timers: { appear: 'appear' } }),
})
