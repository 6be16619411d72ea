import type { CfSdk } from '../index.d.ts'
import { attempt } from './attempt.ts'
import { callsOf } from './calls.ts'
import { BADGE, FORMS } from './chunks.ts'
import { type Change, type CoreHost, isPrerendered } from './host.ts'
import { openPage } from './page.ts'
import type { BadgeChunk, Forms, FormsChunk, Page } from './parts.ts'
import { loader, openShops } from './shops.ts'
import { takeTicket } from './ticket.ts'
import { hearVisitor, type Surroundings } from './visitor.ts'

/** Least time between two scans of the document. */
const PAUSE = 50

/** Whether a change is not one in the SDK's own elements. */
const isOutside = ({ target, attributeName }: Change): boolean =>
  !!attributeName || !(target as Element).closest?.('div[data-cf-element]')

/** Starts the SDK in a document and returns the calls for authors of pages. */
export const start = (host: CoreHost): CfSdk => {
  const { document, window, console } = host
  const waiting: ((page: Page) => void)[] = []
  const load = { id: host.random(), views: 0, ticket: takeTicket(host), identities: {} }
  const chunk = loader(host)
  const shops = openShops(host, chunk)
  let controller: AbortController | undefined
  let forms: Promise<Forms> | undefined
  let page: Page | undefined
  let timer: unknown

  const openForms = () => {
    forms ??= chunk<FormsChunk>(FORMS).then(({ open }) => open(host, shops.open))
    return forms
  }
  const act: Surroundings['act'] = async (token, element, submitter) => {
    const page = await ready()
    // Any other method would write into the address what was entered.
    if (!page.init?.ok) /post/i.test(element.getAttribute('method') ?? '') && host.submit(element)
    else if (page.token === token) (await openForms()).act(page, element, submitter)
  }
  const opened = (page: Page) => {
    const { init } = page
    console.log('Init response', init)
    for (const resolve of waiting.splice(0)) resolve(page)
    if (init?.mode !== 'live') chunk<BadgeChunk>(BADGE).then((badge) => badge.mount(host, page))
    changed()
  }
  /** The page that is open now: another one if the token has changed. */
  const current = () => {
    const token = document.querySelector<HTMLMetaElement>('meta[name=cf-page-token]')?.content
    if (!isPrerendered(host) && token !== page?.token) {
      controller?.abort()
      controller = new AbortController()
      shops.close()
      page = token ? openPage(host, token, load, controller.signal, opened) : undefined
    }
    return page
  }
  const ready = async () => {
    await null // Components of an app ask before it has changed the token.
    attempt(current)
    return page?.init ? page : new Promise<Page>((resolve) => waiting.push(resolve))
  }
  const changed = () =>
    attempt(() => {
      timer = undefined
      const page = current()
      page?.identity?.sync()
      if (!page || !document.querySelector('[data-cf-element]')) return
      const forms = openForms()
      if (!page.init?.ok) return
      forms.then(({ bind }) => bind(page))
      if (document.querySelector('[data-cf-element^=pay],[data-cf-element^=oto-]')) shops.open(page)
      shops.changed()
    })

  hearVisitor(host, {
    current,
    act,
    restored: (page) => {
      forms?.then(({ release }) => release())
      if (page.init) page.view(host.now())
    },
  })
  host.watch(['data-cf-element', 'data-cf-visible', 'content'], (changes) => {
    if (!timer && changes.some(isOutside)) timer = window.setTimeout(changed, PAUSE)
  })
  document.addEventListener('prerenderingchange', changed)
  changed()
  return callsOf(host, ready, shops)
}
