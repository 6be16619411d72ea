import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { authorProblem } from '../author.ts'
import { actingIn, type By } from '../reader.ts'
import { sees, type Written } from '../visibility.ts'
import { actingProblem } from './acting.ts'
import { comment, commentLike, post, postLike } from './model.ts'
import { isShown, notShown } from './moderation.ts'

interface Liking {
  readonly wanted: By
  readonly contactId: number
  readonly on: RecordOf<typeof post> | undefined
  /** What is liked. */
  readonly liked: Written | undefined
}

/** Returns why a contact cannot like something of a post. */
const likeProblem = async ({ wanted, contactId, on, liked }: Liking, read: Reader): Promise<Refusal | undefined> => {
  if (!on || !liked) return refuse.notFound()
  const acting = await actingIn(wanted, on.space_id, read)
  const outside = actingProblem(
    wanted,
    acting,
    (place, member) => sees(on, place, member) && sees(liked, place, member),
  )
  if (outside) return outside
  return isShown(on) && isShown(liked) ? authorProblem(contactId, on.community_id, read) : notShown()
}

/** Returns why a member cannot take a like back: it is another's. */
const takeBackProblem = ({
  before,
  wanted: { by_id },
}: {
  readonly before: { readonly contact_id: number }
  readonly wanted: By
}) => (by_id === undefined || by_id === before.contact_id ? undefined : refuse.notFound())

/** Rules of the likes of posts. */
export const postLikes = decider(postLike, {
  rules: rules(postLike, {
    async loadFacts({ before, wanted, after }: DecisionContext<typeof postLike, By>, read: Reader) {
      if (before) return undefined
      const on = await read.one(post, after.post_id)
      return likeProblem({ wanted, contactId: after.contact_id, on, liked: on }, read)
    },
    save: [(_, problem) => problem],
    preventRemoval: (context: ActContext<typeof postLike, By>) => takeBackProblem(context),
    /** It is there already. */
    acts: { like: () => [] },
  }),
})

/** Rules of the likes of comments. */
export const commentLikes = decider(commentLike, {
  rules: rules(commentLike, {
    async loadFacts({ before, wanted, after }: DecisionContext<typeof commentLike, By>, read: Reader) {
      if (before) return undefined
      const liked = await read.one(comment, after.comment_id)
      const on = await read.one(post, liked?.post_id)
      const isThere = liked && liked.emptied_at === null
      return likeProblem({ wanted, contactId: after.contact_id, on, liked: isThere ? liked : undefined }, read)
    },
    save: [(_, problem) => problem],
    preventRemoval: (context: ActContext<typeof commentLike, By>) => takeBackProblem(context),
    acts: { like: () => [] },
  }),
})
