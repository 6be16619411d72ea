import { recordOf } from '../../../domain/kernel/model/fold.ts'
import { inSlices } from '../../../domain/kernel/values/turns.ts'
import { parseMarkup } from '../../../domain/pages/markup/tree.ts'
import { page as pageModel } from '../../../domain/pages/page/model.ts'
import { zoneOfWorkspace } from '../../../domain/resources/attributes/time-zone.ts'
import { type BlogLook, lookOf } from '../../../domain/sites/public.ts'
import { site as siteModel } from '../../../domain/sites/site/model.ts'
import { bodyInTurns } from '../body.ts'
import { picturesOf, texts } from '../content.ts'
import type { Outcome, Until } from '../outcome.ts'
import type { Article, PageContent } from '../rendering/context.ts'
import { renderPage } from '../rendering/document.ts'
import { attributes } from '../rendering/escape.ts'
import { inSections } from '../rendering/sections.ts'
import type { Reading } from '../site.ts'
import { tokenOf } from '../token.ts'
import { type OpenBlog, type Post, urlAt } from './listing.ts'
import { sent } from './parts.ts'

/** What a page of a blog shows in the page of its theme. */
export interface Shown extends Pick<Article, 'before' | 'after'> {
  readonly kind: keyof BlogLook['templates']
  readonly path: string
  readonly title: string
  readonly description: string | null
  readonly isIndexed: boolean
  /** Post whose body is shown. */
  readonly body?: Post | undefined
  /** Address of the picture that stands for it elsewhere. */
  readonly image?: string | undefined
  /** Time from which on it is seen. */
  readonly published?: string | undefined
  readonly until?: Until | undefined
  /** Only who has the link sees it. */
  readonly isPreview?: boolean
  /** Only members see it. */
  readonly isForMember?: boolean
}

const openPage = recordOf(pageModel)
const FOR_MEMBER = { 'Cache-Control': 'private, no-store' }
const FOR_ONE = { ...FOR_MEMBER, 'Referrer-Policy': 'no-referrer' }

const property = (name: string, content: string | undefined | null): string =>
  content ? `<meta${attributes({ property: name, content })}>` : ''

const headOf = (open: OpenBlog, { image, published }: Shown): string => {
  const { name: title, current_path } = open.blog
  const href = sent(open, `${current_path}/feed`)
  return [
    `<link${attributes({ rel: 'alternate', type: 'application/atom+xml', title, href })}>`,
    property('og:type', published ? 'article' : 'website'),
    property('og:image', image),
    property('article:published_time', published),
  ].join('')
}

/** Returns the zone of a blog's dates. */
export const zoneOf = async ({ blog }: OpenBlog, { load }: Reading): Promise<string> =>
  zoneOfWorkspace(await load.one('workspace', blog.workspace_id ?? 0))

/** Renders a page of a blog: below the elements of the page that the theme has for it, with the code and style of that one. */
export const showInBlog = async (open: OpenBlog, shown: Shown, reading: Reading): Promise<Outcome> => {
  const { load, service } = reading
  const { styleId, templates } = await lookOf(open.blog, load)
  const [found, document, style, zone] = await Promise.all([
    load.one('site', open.blog.site_id),
    load.one('page', templates[shown.kind]),
    load.one('style', styleId),
    zoneOf(open, reading),
  ])
  const site = found && recordOf(siteModel)(found)
  const opened = document && openPage(document)
  const template = opened?.external ? undefined : opened
  const around = inSections(await inSlices(parseMarkup(template?.markup ?? '')))
  const pictures = [template, shown.body].map((one) => picturesOf({ pictures: one?.pictures ?? [] }, reading))
  const body = inSections(await inSlices(parseMarkup(shown.body?.markup ?? '')))
  const content: PageContent = {
    title: shown.title,
    description: shown.description,
    url: urlAt(open, shown.path).href,
    token: template && !shown.isPreview ? await tokenOf(template, service) : null,
    isIndexed: shown.isIndexed,
    own: undefined,
    elements: [...around, ...body],
    headCode: texts(site?.head_code, template?.head_code),
    footerCode: texts(site?.footer_code, template?.footer_code),
    customCss: template?.custom_css ?? '',
    style: String(style?.name ?? ''),
    products: [],
    bumps: [],
    pictures: new Map((await Promise.all(pictures)).flatMap((one) => [...one])),
    frameAncestors: site?.frame_ancestors ?? [],
    zone,
    article: { from: around.length, before: shown.before, after: shown.after, head: headOf(open, shown) },
  }
  const settings = { sdkUrl: service.sdkUrl(), thirdParty: service.thirdParty }
  const { html, headers } = await inSlices(renderPage(content, settings))
  const sending = {
    'Content-Type': 'text/html; charset=utf-8',
    ...headers,
    ...(shown.isForMember && FOR_MEMBER),
    ...(shown.isPreview && FOR_ONE),
  }
  const { until, isForMember = false } = shown
  return { kind: 'body', body: await bodyInTurns([html], sending), at: sent(open, shown.path), until, isForMember }
}
