import { managed } from '../../kernel/model/field.ts'
import { list, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { code } from '../../resources/attributes/code.ts'
import { blog } from '../blog/model.ts'

/** An origin: scheme, name and port, without a path. It stands in a policy as it is, so nothing else may be in it. */
const ORIGIN = {
  test: /^https?:\/\/[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/,
  says: 'must be an origin, such as https://shop.example.com, in lower case and without a path',
}
const MOST_ORIGINS = 50

/** Site of a workspace: the code on all its pages, its homepage and its theme. It has the id of the workspace, because a workspace has one site. */
export const site = model('site', {
  attributes: {
    name: text({ required: true }),
    homepage_id: reference('page', { nullable: true, emptyIsNull: true, about: 'The page at /; empty for none' }),
    theme_id: managed(reference('theme', { nullable: true })),
    main_domain_id: reference('domain', {
      nullable: true,
      about: 'The connected domain by which pages are addressed; null: the first one that everybody can reach',
    }),
    head_code: code,
    footer_code: code,
    frame_ancestors: list(text({ required: true, form: ORIGIN }), {
      initial: [],
      max: MOST_ORIGINS,
      about: 'Origins of others that may show pages that sell in a frame',
    }),
  },
  events: {
    SiteOpened: { creates: true, only: ['name'] },
    SiteRenamed: { sets: ['name'] },
    HomepageChosen: { sets: ['homepage_id'] },
    ThemeChosen: { sets: ['theme_id'] },
    MainDomainChosen: { sets: ['main_domain_id'] },
    FrameAncestorsNamed: { sets: ['frame_ancestors'] },
    SiteCodeSet: { changes: 'rest', only: ['head_code', 'footer_code'] },
  },
  children: { blogs: { model: blog, key: 'blog_id' } },
})
