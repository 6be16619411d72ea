import type { BadgeChunk, Page } from '../core/parts.ts'

/** The badge is for the author of a page: nothing of it may depend on, or leak into, the styles of the page. */
const BOX =
  'all:revert;position:fixed;left:12px;bottom:12px;z-index:2147483647;font:14px/1.5 system-ui,sans-serif;text-align:left'
const BUTTON =
  'all:revert;font:inherit;padding:6px 12px;border:1px solid #fff;border-radius:16px;background:#1a1a2e;color:#fff;cursor:pointer'
const PANEL =
  'all:revert;position:static;box-sizing:border-box;width:min(420px,calc(100vw - 24px));margin:0 0 8px;padding:12px 16px;border:1px solid #1a1a2e;border-radius:8px;background:#fff;color:#1a1a2e'

const ID = 'cf-sdk-badge-panel'

const TITLES = { live: 'SDK', test: 'SDK test mode', preview: 'SDK preview' }

const NOTES = {
  live: '',
  test: 'The funnel is in test mode. Contacts and orders are real ones, payments are not.',
  preview: 'Nothing that happens here is saved.',
}

type Line = readonly [name: string, text: string]

/** What the badge says of a page. */
export const linesOf = ({ token, url, init }: Page): { readonly title: string; readonly lines: readonly Line[] } => {
  const addresses: Line[] = [['Address of this page', url]]
  if (init?.registered_url) addresses.push(['Registered address', init.registered_url])
  if (!init?.ok) {
    const { code, message } = init?.error ?? { code: '', message: '' }
    const lines: Line[] = [
      ['Page token', token],
      ['Init', code],
      ['Reason', message],
    ]
    return { title: 'SDK does not run', lines: [...lines, ...addresses] }
  }
  const { mode, in_funnel } = init
  const lines: Line[] = [
    ['Page token', token],
    ['Init', 'ok'],
    ['Mode', `${mode}. ${NOTES[mode]}`],
    ['In a funnel', in_funnel ? 'yes' : 'no: it sells nothing, and its forms work only where Millrace hosts it'],
  ]
  return { title: TITLES[mode], lines: [...lines, ...addresses] }
}

/** Whether who looks at a page that does not run is its author. */
const isAuthor = ({ hostname, hash }: Pick<Location, 'hostname' | 'hash'>): boolean =>
  /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|)$/.test(hostname) || hash.includes('cf-debug')

const build = (document: Document, page: Page) => {
  const { title, lines } = linesOf(page)
  const make = <Name extends keyof HTMLElementTagNameMap>(name: Name, style: string, text = '') => {
    const element = document.createElement(name)
    // Set by script, which no policy of the page forbids; an attribute would be.
    element.style.cssText = style
    element.textContent = text
    return element
  }
  const box = make('aside', BOX)
  const button = make('button', BUTTON, title)
  const panel = make('div', PANEL)
  const list = make('dl', 'all:revert;margin:0')
  for (const [name, text] of lines) {
    list.append(make('dt', 'all:revert;font-weight:bold', name))
    list.append(make('dd', 'all:revert;margin:0 0 6px;overflow-wrap:anywhere', text))
  }
  const close = make('button', BUTTON, 'Close')
  button.type = close.type = 'button'
  panel.append(list, close)
  panel.id = ID
  panel.tabIndex = -1
  panel.style.display = 'none'
  panel.setAttribute('role', 'dialog')
  panel.setAttribute('aria-label', title)
  box.setAttribute('aria-label', 'Millrace SDK')
  button.setAttribute('aria-expanded', 'false')
  button.setAttribute('aria-controls', ID)
  box.append(panel, button)
  return { box, button, panel, close }
}

export const mount: BadgeChunk['mount'] = ({ document, location }, page) => {
  if (page.signal.aborted || !document.body || (!page.init?.ok && !isAuthor(location))) return
  const { box, button, panel, close } = build(document, page)
  const show = (isOpen: boolean) => {
    panel.style.display = isOpen ? 'block' : 'none'
    button.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) panel.focus()
    else button.focus()
  }
  button.addEventListener('click', () => show(panel.style.display === 'none'))
  close.addEventListener('click', () => show(false))
  panel.addEventListener('keydown', ({ key }) => key === 'Escape' && show(false))
  document.body.append(box)
  page.signal.addEventListener('abort', () => box.remove())
}
