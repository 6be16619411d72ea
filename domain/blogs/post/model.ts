import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { choice, data, list, longText, moment, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import type { Picture } from '../../pages/page/model.ts'

/** What a post is to others. `scheduled` becomes `public` at its time. */
export const VISIBILITIES = ['draft', 'public', 'members_only', 'scheduled'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/** Fields that say from when a post is visible. */
export interface Timed {
  readonly visibility: Visibility
  readonly published_at: string | null
  readonly visible_since: string | null
}

/** Returns from when a post is visible; `null` for one that will not be. Posts are listed by it, the newest first. */
export const dateOf = ({ visibility, published_at, visible_since }: Timed): string | null =>
  visibility === 'draft' ? null : (published_at ?? visible_since)

/** Whether others see a post at a time: all of it, or what is shown of one for members. */
export const isVisible = (post: Timed, at: string): boolean => {
  const date = dateOf(post)
  return date !== null && date <= at
}

const ids = (of: string) =>
  ({ ...list(reference(of), { nullable: true, initial: [], max: 100 }), shown: 'never' }) as const

/** Post of a blog. */
export const post = model('blogs/post', {
  attributes: {
    blog_id: managed(reference('blog', { required: true })),
    title: text({ required: true, trim: true }),
    visibility: choice(VISIBILITIES, {
      initial: 'draft',
      consequence: { says: 'shows something to everybody', unless: ['draft'] },
    }),
    published_at: moment({ nullable: true, about: 'From when it is visible; required for a scheduled post' }),
    excerpt_content: longText({ nullable: true, about: 'All that others see of a post for members' }),
    seo_title: text({ nullable: true, about: 'Absent: the title' }),
    seo_description: text({ nullable: true, max: 1000 }),
    image_id: reference('image', { nullable: true }),
    markup: {
      ...longText({ nullable: true, about: 'Page markup language; replaces the whole body' }),
      shown: 'never',
    },
    author_ids: ids('blogs/author'),
    tag_ids: ids('blogs/tag'),
    category_ids: ids('blogs/category'),
    pictures: managed(
      data<readonly Picture[], { readonly initial: readonly [] }>(Type.Array(Type.Object({})), { initial: [] }),
      { shown: 'never' },
    ),
    current_path: managed(text({ required: true, max: 1000 })),
    /** Since when it has been visible, as its events tell; `null` while it is not. A post that is due is visible before that is noted. */
    visible_since: managed(moment({ nullable: true }), { shown: 'never' }),
    rewritten_at: managed(moment({ nullable: true }), { shown: 'never' }),
  },
  events: {
    BlogPostWritten: { creates: true, except: ['pictures', 'visible_since', 'rewritten_at'], stamps: 'rewritten_at' },
    BlogPostRewritten: { changes: 'rest', only: ['title', 'excerpt_content', 'markup'], stamps: 'rewritten_at' },
    BlogPostChanged: { changes: 'rest' },
    BlogPostPicturesFetched: { sets: ['pictures'] },
    /** It became visible, or was taken away. */
    BlogPostVisibilityTurned: { sets: ['visible_since'] },
    /** Its time came. */
    BlogPostAppeared: {
      evolve: (before) => ({
        visible_since: before?.published_at ?? null,
        ...(before?.visibility === 'scheduled' && { visibility: 'public' }),
      }),
    },
    BlogPostRemoved: { ends: true },
  },
  unique: [{ attributes: ['current_path'], says: 'Current path has already been taken' }],
  // Lists of the public side, in the order of the dates.
  derives: {
    version: 1,
    of: (record) => {
      const shown_at = dateOf(record)
      const among = <T>(value: T) => (shown_at === null ? null : value)
      return {
        shown_at,
        shown_in: among(record.blog_id),
        shown_by: among(record.author_ids),
        shown_under: among(record.tag_ids),
        shown_within: among(record.category_ids),
      }
    },
  },
  timers: {
    appear: { due: (record) => (record.visible_since === null ? dateOf(record) : null) },
  },
})
