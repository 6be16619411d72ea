import { creatable, firstOf, type RecordMaker, unique } from './making.ts'

const blog: RecordMaker = {
  make: firstOf('/blogs'),
  by: { updateBlog: async () => ({ name: unique('Blog'), seo_title: 'Clay' }) },
}
const inBlog = (path: string) => async (tenant: Parameters<RecordMaker['make']>[0]) =>
  `/blogs/${await blog.make(tenant)}${path}`

export const blogMakers = {
  blog,
  'blogs/author': creatable(
    async () => ({ first_name: 'Ada', last_name: unique('Lovelace'), email_address: 'ada@example.com' }),
    inBlog('/authors'),
    'blogs_author',
  ),
  'blogs/category': creatable(async () => ({ name: unique('Glazes') }), inBlog('/categories'), 'blogs_category'),
  'blogs/tag': creatable(async () => ({ name: unique('raku') }), inBlog('/tags'), 'blogs_tag'),
  'blogs/post': creatable(
    async () => ({
      title: unique('First firing'),
      visibility: 'public',
      markup: '<section><row><column><paragraph>Hot</paragraph></column></row></section>',
    }),
    inBlog('/posts'),
    'blogs_post',
  ),
}
