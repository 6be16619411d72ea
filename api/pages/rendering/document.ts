import { escapeHtml } from '../../../domain/kernel/values/html.ts'
import type { Steps } from '../../../domain/kernel/values/turns.ts'
import { type MarkupElement, someElement, textIn } from '../../../domain/pages/markup/tree.ts'
import { CHECKOUT_SCRIPT, CONFIRMATION_SCRIPT, PAGE_SCRIPT, type Script } from '../client/scripts.ts'
import { type PageContent, Rendering, type RenderSettings } from './context.ts'
import { BASE_CSS } from './css.ts'
import { renderNodes } from './elements.ts'
import { attributes, containedCss } from './escape.ts'
import { planForm } from './form-plan.ts'
import { policyOf } from './policy.ts'

/** A rendered page with the headers that belong to it. */
export interface RenderedPage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

const has = (elements: readonly MarkupElement[], test: (element: MarkupElement) => boolean): boolean =>
  elements.some((element) => someElement(element, test))

/** Marks of a page that sells by elements of its author. */
const SELLING = /data-cf-element\s*=\s*["']?(?:oto-accept|pay\b|payment-method)/i

const meta = (name: string, content: string): string => `<meta${attributes({ name, content })}>`

const scriptTag = ({ path }: Script): string => `<script${attributes({ src: path, defer: true })}></script>`

/** Tags that the SDK needs: the token that names the page, and its script. */
const sdkTags = ({ token }: PageContent, { sdkUrl }: RenderSettings): string =>
  sdkUrl === undefined || token === null
    ? ''
    : `${meta('cf-page-token', token)}<script${attributes({ src: `${sdkUrl}/sdk.js`, defer: true })}></script>`

/** Head of a page without the code of authors. */
const headOf = (content: PageContent, page: Rendering, hasCheckout: boolean): string => {
  const { title, description, url, isIndexed, customCss } = content
  const { settings, fonts, isAnimated } = page
  const fontSheet = settings.thirdParty.has('fonts') ? fonts.styleSheet : undefined
  return [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    description ? meta('description', description) : '',
    isIndexed ? '' : meta('robots', 'noindex'),
    url ? `<link${attributes({ rel: 'canonical', href: url })}>` : '',
    `<meta${attributes({ property: 'og:title', content: title })}>`,
    url ? `<meta${attributes({ property: 'og:url', content: url })}>` : '',
    description ? `<meta${attributes({ property: 'og:description', content: description })}>` : '',
    content.article?.head ?? '',
    sdkTags(content, settings),
    hasCheckout ? scriptTag(CHECKOUT_SCRIPT) : '',
    has(content.elements, ({ name }) => name === 'confirmation') ? scriptTag(CONFIRMATION_SCRIPT) : '',
    isAnimated ? scriptTag(PAGE_SCRIPT) : '',
    fontSheet ? `<link${attributes({ rel: 'stylesheet', href: fontSheet })}>` : '',
    `<style>${BASE_CSS}</style>`,
    customCss === '' ? '' : `<style>${containedCss(customCss)}</style>`,
  ].join('')
}

const styleClass = (style: string): string => `style-${style.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`

const mainOf = function* (page: Rendering): Steps<string> {
  const { elements, article } = page.content
  if (!article) return yield* renderNodes(page, elements)
  page.hasHeading = true
  const around = yield* renderNodes(page, elements.slice(0, article.from))
  const body = yield* renderNodes(page, elements.slice(article.from))
  return around + article.before + body + article.after
}

const bodyOf = function* (page: Rendering, title: string): Steps<string> {
  const main = yield* mainOf(page)
  const heading = page.hasHeading ? '' : `<h1 class="vh">${escapeHtml(title)}</h1>`
  return `<main>${heading}${main}</main>`
}

/** Renders a page as an HTML document, in steps. */
export const renderPage = function* (content: PageContent, settings: RenderSettings): Steps<RenderedPage> {
  const { elements, own, headCode, footerCode, title, isIndexed } = content
  const page = new Rendering(content, settings, planForm(elements))
  const hasCheckout = has(elements, ({ name }) => name === 'checkout' || name === 'order-summary')
  const isRaw = (element: MarkupElement) => element.name === 'customhtml'
  const code = [...headCode, ...footerCode]
  const sells =
    hasCheckout ||
    code.some((text) => SELLING.test(text)) ||
    has(elements, (element) => isRaw(element) && SELLING.test(textIn(element)))
  yield
  const hasCode = code.length > 0 || has(elements, isRaw)
  const body = own === undefined ? yield* bodyOf(page, title) : ''
  const head = own === undefined ? headOf(content, page, hasCheckout) : sdkTags(content, settings)
  const fontsUsed = settings.thirdParty.has('fonts') && page.fonts.styleSheet !== undefined
  return {
    html: own
      ? own.with({ head: [head, ...headCode].join(''), foot: footerCode.join('') })
      : `<!doctype html><html lang="en"${attributes({ class: styleClass(content.style) })}><head>${head}${headCode.join('\n')}</head><body>${body}${footerCode.join('\n')}</body></html>`,
    headers: {
      'Content-Security-Policy': policyOf({ content, settings, hasCode, hasCheckout, sells, fontsUsed }),
      ...(!isIndexed && { 'X-Robots-Tag': 'noindex' }),
    },
  }
}
