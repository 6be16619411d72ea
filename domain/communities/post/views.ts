import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, readerOver, rules } from '../../kernel/decide/rules.ts'
import { serve } from '../../resources/serve.ts'
import { post, postView } from './model.ts'

/** How long one view of a post lasts: what is loaded again meanwhile is the same. */
const VIEW_MS = 30 * 60_000

const { event } = postView

/** Rules of views. */
export const postViews = decider(postView, {
  rules: rules(postView, {
    save: [({ before, at }: DecisionContext<typeof postView>) => (before ? undefined : { viewed_at: at })],
    acts: {
      again: ({ before: { post_id, contact_id, viewed_at }, at }: ActContext<typeof postView>) =>
        Date.parse(at) - Date.parse(viewed_at) < VIEW_MS
          ? []
          : [event.PostViewed({ post_id, contact_id, viewed_at: at })],
    },
  }),
})

/** Communities::Spaces::Post::View. The members' side alone makes them. */
export const postViewResource = serve(postView, postViews, {
  title: 'Communities::Spaces::Post::View',
  root: 'communities_spaces_posts_view',
  category: 'community',
  under: { param: 'post_id', resource: post.name, field: 'post_id' },
  goesWithOwner: true,
  indexes: [{ fields: ['contact_id'], sort: 'post_id' }],
  operations: {},
  publishes: {
    '$community.post_view': {
      on: ['PostViewed'],
      about: 'A contact read a post of a community.',
      async concerns(_, documents, id) {
        const read = readerOver(documents)
        const found = await read.one(postView, id)
        const { community_id = null, space_id: communities_space_id = null } =
          (await read.one(post, found?.post_id)) ?? {}
        return { contact_id: found?.contact_id ?? null, conditions: { community_id, communities_space_id } }
      },
    },
  },
})
