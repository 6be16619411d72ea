import { post } from '../../../domain/blogs/post/model.ts'
import { posts } from '../../../domain/blogs/post/rules.ts'
import { AT, ask, given } from '../../support/decider.ts'

const LATER = '2026-03-01T12:00:00.000Z'
const BEFORE = '2026-03-01T08:00:00.000Z'
const { BlogPostWritten, BlogPostAppeared, BlogPostChanged, BlogPostRewritten, BlogPostVisibilityTurned } = post.event

/** Event by which a post begins. */
const written = (fields: Partial<Parameters<typeof BlogPostWritten>[0]>) =>
  BlogPostWritten({
    blog_id: 7,
    title: 'Fire',
    visibility: 'draft',
    published_at: null,
    excerpt_content: null,
    seo_title: null,
    seo_description: null,
    image_id: null,
    markup: null,
    author_ids: [],
    tag_ids: [],
    category_ids: [],
    current_path: '/blog/fire',
    ...fields,
  })

describe('a blog post', () => {
  const scheduled = written({ visibility: 'scheduled', published_at: LATER })
  const due = written({ visibility: 'scheduled', published_at: BEFORE })

  it('15 25: appears at its time, once, however often its timer is delivered; a timer that comes too early does nothing', () => {
    given(posts, due).when(ask('appear')).then(BlogPostAppeared())
    given(posts, due, BlogPostAppeared()).when(ask('appear')).thenNothing()
    given(posts, scheduled).when(ask('appear')).thenNothing()
    given(posts, written({ published_at: BEFORE }))
      .when(ask('appear'))
      .thenNothing()
  })

  it('15 27: one that is due, and is changed before that was noted, is public from then on', () => {
    given(posts, due)
      .when(ask('change', { title: 'Smoke' }))
      .then(
        BlogPostRewritten({ title: 'Smoke' }),
        BlogPostChanged({ visibility: 'public' }),
        BlogPostVisibilityTurned({ visible_since: AT }),
      )
  })

  it('turns visible and is taken away again; a new time to come takes it away until then', () => {
    const begun = [written({}), BlogPostVisibilityTurned({ visible_since: BEFORE })]
    given(posts, written({}))
      .when(ask('change', { visibility: 'members_only' }))
      .then(BlogPostChanged({ visibility: 'members_only' }), BlogPostVisibilityTurned({ visible_since: AT }))
    const shown = [...begun, BlogPostChanged({ visibility: 'public' })]
    given(posts, ...shown)
      .when(ask('change', { visibility: 'draft' }))
      .then(BlogPostChanged({ visibility: 'draft' }), BlogPostVisibilityTurned({ visible_since: null }))
    given(posts, ...shown)
      .when(ask('change', { published_at: LATER }))
      .then(BlogPostChanged({ published_at: LATER }), BlogPostVisibilityTurned({ visible_since: null }))
    given(posts, ...shown)
      .when(ask('change', { published_at: BEFORE }))
      .then(BlogPostChanged({ published_at: BEFORE }))
  })

  it('15 75: is not scheduled without a time, or for the past', () => {
    given(posts, written({}))
      .when(ask('change', { visibility: 'scheduled' }))
      .refuses('invalid', "Published at can't be blank for a scheduled post")
    given(posts, scheduled)
      .when(ask('change', { published_at: BEFORE }))
      .refuses('invalid', 'Published at must be in the future for a scheduled post')
  })
})
