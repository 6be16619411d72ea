import { managed } from '../../kernel/model/field.ts'
import { reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

const NAME = 'Primary Blog'
const PATH = '/blog'

/** Blog of a site. It begins with its site, in whose stream it is and whose id it has: so every site has one, also those of former versions. */
export const blog = model('blog', {
  stream: 'site',
  owner: 'site_id',
  attributes: {
    name: text({ required: true }),
    seo_title: text({ nullable: true }),
    seo_description: text({ nullable: true, max: 1000 }),
    seo_image_id: reference('image', { nullable: true }),
    theme_id: reference('theme', { nullable: true, about: 'A theme with a page for posts; absent: that of the site' }),
    current_path: managed(text({ required: true })),
  },
  events: {
    SiteOpened: { of: (_, siteId) => [siteId], evolve: () => ({ name: NAME, current_path: PATH }) },
    BlogChanged: { changes: 'rest' },
  },
})
