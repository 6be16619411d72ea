import { Type } from 'typebox'
import { imageUrl } from '../../media/public.ts'
import { withCopies, withPictures } from '../../pages/public.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { list, show } from '../../resources/operations.ts'
import { nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { type Shape, shape } from '../../resources/view.ts'
import { changes, creates, removes } from '../../resources/writes.ts'
import { addressAt } from '../../sites/public.ts'
import { ofBlog } from '../parts.ts'
import { blogPathFrom } from '../paths.ts'
import { post, VISIBILITIES } from './model.ts'
import { postPreview } from './preview.ts'
import { posts } from './rules.ts'

const POSTS = '/blogs/{blog_id}/posts'
const POST = '/blogs/posts/{id}'

const byName = shape({ name: Type.String() })
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const author: Shape = {
  schema: Type.Object({ first_name: Type.String(), last_name: Type.String(), email_address: Type.String() }),
  of: ({ first_name, last_name, email_address }) => ({
    first_name: text(first_name),
    last_name: text(last_name),
    email_address: text(email_address),
  }),
}

const current_path = blogPathFrom('blogs/post', '', ({ title }) => String(title))
const followUps = withCopies(async () => [])

/** Blogs::Post. */
export const postResource = serve(post, posts, {
  title: 'Blogs::Post',
  root: 'blogs_post',
  category: 'blog',
  under: ofBlog,
  indexes: [
    { fields: ['workspace_id', 'current_path'] },
    { fields: ['shown_in'], sort: 'shown_at' },
    { fields: ['shown_by'], sort: 'shown_at' },
    { fields: ['shown_under'], sort: 'shown_at' },
    { fields: ['shown_within'], sort: 'shown_at' },
  ],
  reads: ['image', 'blogs/author'],
  view: {
    url: {
      schema: Type.String(),
      of: ({ workspace_id = 0, current_path }, load) => addressAt(load, workspace_id, current_path),
    },
    visibility: {
      schema: Type.Enum([...VISIBILITIES]),
      of: ({ visibility, published_at, workspace_id = 0 }, load) =>
        visibility === 'scheduled' && published_at !== null && published_at <= load.now(workspace_id)
          ? 'public'
          : visibility,
    },
    markup: { expand: true, schema: Type.String(), of: ({ markup }) => markup ?? '' },
    image_url: { schema: nullableString, of: ({ image_id }, load) => imageUrl(image_id, load) },
    categories: { many: 'category_ids', shows: byName },
    tags: { many: 'tag_ids', shows: byName },
    authors: { many: 'author_ids', shows: author },
  },
  operations: {
    listBlogsPosts: list(POSTS),
    getBlogPost: show(POST),
    createBlogPost: creates(POSTS, {
      wanted: async (input: WriteInput) => ({ ...input.fields, ...(await withPictures(input)) }),
      makes: { current_path },
      followUps,
    }),
    updateBlogPost: changes(POST, {
      consequence: 'changes what everybody sees',
      isUnseen: ({ document }) => document?.visibility === 'draft',
      method: 'PATCH',
      wanted: async (input: WriteInput) => ({ ...input.fields, ...(await withPictures(input)) }),
      followUps,
    }),
    deleteBlogPost: removes(POST),
    previewBlogPost: postPreview,
  },
  publishes: {
    '$blogs.post_created': { on: ['BlogPostWritten'], about: 'A blog post was written.', alias: 'blogs/post.created' },
    '$blogs.post_updated': {
      on: ['BlogPostRewritten', 'BlogPostChanged'],
      about: 'A blog post was changed.',
      alias: 'blogs/post.updated',
    },
    '$blogs.post_published': {
      on: ['BlogPostVisibilityTurned', 'BlogPostAppeared'],
      when: ({ type, data }) => type === 'BlogPostAppeared' || data.visible_since !== null,
      about: 'A blog post can be read by everybody, or by members: it was made so, or its time came.',
      alias: 'blogs/post.published',
    },
    '$blogs.post_deleted': { on: ['BlogPostRemoved'], about: 'A blog post was deleted.', alias: 'blogs/post.deleted' },
  },
})
