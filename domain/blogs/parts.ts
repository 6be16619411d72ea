import { managed } from '../kernel/model/field.ts'
import { reference, text } from '../kernel/model/fields.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { imageUrl } from '../media/public.ts'
import { UNIQUE_NAME } from '../resources/attributes/unique-name.ts'
import { list, show } from '../resources/operations.ts'
import { record } from '../resources/record.ts'
import { nullableString } from '../resources/schemas.ts'
import type { Loader } from '../resources/view-types.ts'
import { changes, creates, removes } from '../resources/writes.ts'
import { addressAt } from '../sites/public.ts'
import { blogPathFrom } from './paths.ts'

/** Owner of everything in a blog. */
export const ofBlog = { param: 'blog_id', resource: 'blog', field: 'blog_id' } as const

const blog_id = managed(reference('blog', { required: true }))
const current_path = managed(text({ required: true, max: 1000 }))
const hiddenPath = { ...current_path, shown: 'never' } as const
const beyondContract = true
const AUTHORS = '/blogs/{blog_id}/authors'
const CATEGORIES = '/blogs/{blog_id}/categories'
const named = ({ name }: JsonObject): string => String(name)
const BY_PATH = { fields: ['workspace_id', 'current_path'] }
const ONE_PATH = { attributes: ['current_path'], says: 'Current path has already been taken' } as const

type Named = { readonly first_name: string | null; readonly last_name: string | null }

/** Returns the name that readers see of an author; `null` for one without. Never an address. */
export const fullName = ({ first_name, last_name }: Named): string | null =>
  [first_name, last_name].filter((name) => name?.trim()).join(' ') || null

const nameOf = (fields: JsonObject): string => fullName({ first_name: null, last_name: null, ...fields }) ?? ''

interface Addressed {
  readonly workspace_id?: number
  readonly current_path: string
}

const urlOf = ({ workspace_id = 0, current_path: path }: Addressed, load: Loader) => addressAt(load, workspace_id, path)

/** Blogs::Author. The contract only reads them. */
export const authorResource = record({
  name: 'blogs/author',
  title: 'Blogs::Author',
  root: 'blogs_author',
  category: 'blog',
  under: ofBlog,
  attributes: {
    blog_id,
    first_name: text({ nullable: true }),
    last_name: text({ nullable: true }),
    email_address: text({ nullable: true, about: 'For staff; no page, feed or address shows it' }),
    image_id: reference('image', { nullable: true, about: 'Picture of the author' }),
    current_path: hiddenPath,
  },
  events: {
    BlogAuthorAdded: { creates: true },
    BlogAuthorChanged: { changes: 'rest' },
    BlogAuthorRemoved: { ends: true },
  },
  unique: [ONE_PATH],
  indexes: [BY_PATH],
  reads: ['image'],
  view: {
    full_name: { schema: nullableString, of: fullName },
    display_name: { schema: nullableString, of: fullName },
    image_url: { schema: nullableString, of: ({ image_id }, load) => imageUrl(image_id, load) },
  },
  operations: {
    listBlogsAuthors: list(AUTHORS),
    getBlogAuthor: show('/blogs/authors/{id}'),
    createBlogAuthor: creates(AUTHORS, {
      beyondContract,
      makes: { current_path: blogPathFrom('blogs/author', '/author', nameOf) },
    }),
    updateBlogAuthor: changes('/blogs/authors/{id}', { beyondContract }),
    removeBlogAuthor: removes('/blogs/authors/{id}', { beyondContract }),
  },
})

/** Blogs::Category. The contract only reads them. */
export const categoryResource = record({
  name: 'blogs/category',
  title: 'Blogs::Category',
  root: 'blogs_category',
  category: 'blog',
  under: ofBlog,
  attributes: { blog_id, name: text({ required: true, trim: true }), current_path },
  events: {
    BlogCategoryAdded: { creates: true },
    BlogCategoryChanged: { changes: 'rest' },
    BlogCategoryRemoved: { ends: true },
  },
  unique: [UNIQUE_NAME, ONE_PATH],
  indexes: [BY_PATH],
  view: {
    current_path: { schema: nullableString, of: ({ current_path: path }) => path },
    url: { schema: nullableString, of: urlOf },
  },
  operations: {
    listBlogsCategories: list(CATEGORIES),
    getBlogCategory: show('/blogs/categories/{id}'),
    createBlogCategory: creates(CATEGORIES, {
      beyondContract,
      makes: { current_path: blogPathFrom('blogs/category', '/category', named) },
    }),
    updateBlogCategory: changes('/blogs/categories/{id}', { beyondContract }),
    removeBlogCategory: removes('/blogs/categories/{id}', { beyondContract }),
  },
})

/** Blogs::Tag. */
export const tagResource = record({
  name: 'blogs/tag',
  title: 'Blogs::Tag',
  root: 'blogs_tag',
  category: 'blog',
  under: ofBlog,
  attributes: { blog_id, name: text({ required: true, trim: true }), current_path: hiddenPath },
  events: { BlogTagAdded: { creates: true } },
  unique: [UNIQUE_NAME, ONE_PATH],
  indexes: [BY_PATH],
  operations: {
    listBlogsTags: list('/blogs/{blog_id}/tags'),
    getBlogTag: show('/blogs/tags/{id}'),
    createBlogTag: creates('/blogs/{blog_id}/tags', {
      makes: { current_path: blogPathFrom('blogs/tag', '/tag', named) },
    }),
  },
})
