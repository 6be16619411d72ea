import { attribute, harmless, linked, located } from './attributes.ts'
import { ALLOWED, BLOCKS } from './elements.ts'
import { type Attributes, type HtmlVisitor, readHtmlInSlices } from './read.ts'
import { VideoLines } from './video-lines.ts'
import { Writer } from './writer.ts'

/** Version of what follows from HTML and Markdown, for the keys of caches. It changes with the output of `safeHtml` or `lessonHtml`. */
export const HTML_VERSION = 1

/** What is filled into what people wrote when it is shown. */
export interface HtmlHooks {
  /** Address of what is shown, from which relative links start; absent: these lead nowhere. */
  readonly base?: URL
  /** Returns the name of somebody who is mentioned, by the id in `data-mention`; `undefined`: who has gone. Default: everybody has. */
  readonly mention?: ((contactId: string) => string | undefined) | undefined
  /** Returns from where browsers of readers load an image; `undefined`: it is shown as a link. Default: as a link. */
  readonly image?: ((address: URL) => string | undefined) | undefined
  /** Returns how a video is shown; `undefined`: it is none of a known provider. Default: videos are left out. */
  readonly video?: ((address: URL) => ShownVideo) | undefined
}

/** How a video is shown: in the player of its provider, as a file, or else as a link. */
export interface ShownVideo {
  readonly player?: string | undefined
  readonly file?: string | undefined
  /** What it is called where it is not seen. */
  readonly label: string
  /** Whether its address alone says that it is a video. */
  readonly isKnown: boolean
}

const FORMER_MEMBER = 'former member'
const FRAME =
  attribute('loading', 'lazy') +
  attribute('allow', 'fullscreen; picture-in-picture') +
  ' allowfullscreen' +
  attribute('sandbox', 'allow-scripts allow-same-origin allow-presentation allow-popups') +
  // Players of YouTube refuse to play where they do not learn the host of the page.
  attribute('referrerpolicy', 'strict-origin')
const REL = attribute('rel', 'ugc nofollow noopener')

/** Returns how somebody is called in a text. */
export const mentioned = (contactId: string, { mention }: Pick<HtmlHooks, 'mention'>): string =>
  `@${mention?.(contactId)?.trim() || FORMER_MEMBER}`

/** Writes what is allowed of the HTML that it visits. */
class Sanitizer implements HtmlVisitor {
  readonly writer = new Writer()
  readonly #hooks: HtmlHooks

  constructor(hooks: HtmlHooks) {
    this.#hooks = hooks
  }

  text(part: string): void {
    this.writer.text(part)
  }

  mention(contactId: string): void {
    this.writer.begin('strong', '')
    this.writer.text(mentioned(contactId, this.#hooks))
    this.writer.end('strong')
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'img') this.#image(attributes)
    else if (name === 'a') this.#link(attributes)
    else if (ALLOWED.has(name)) this.writer.begin(name, harmless(name, attributes))
    else if (BLOCKS.has(name)) this.writer.begin('div', harmless('div', attributes))
  }

  close(name: string): void {
    if (ALLOWED.has(name)) this.writer.end(name)
    else if (BLOCKS.has(name)) this.writer.end('div')
  }

  #link(attributes: Attributes): void {
    const address = linked(attributes.get('href'), this.#hooks.base)
    this.writer.begin('a', (address ? attribute('href', address.href) + REL : '') + harmless('a', attributes))
  }

  video(sent: string): void {
    const address = located(sent, this.#hooks.base)
    const shown = address && this.#hooks.video?.(address)
    if (shown) this.#video(address, shown)
  }

  /** Shows an embedded page, if it is the player of a known provider. */
  embedded(sent: string): void {
    const shown = this.#known(located(sent, this.#hooks.base))
    if (shown) this.#video(shown.address, shown)
  }

  /** Returns how a video is shown whose address says that it is one. */
  #known(address: URL | undefined): (ShownVideo & { readonly address: URL }) | undefined {
    const shown = address && this.#hooks.video?.(address)
    return address && shown?.isKnown ? { ...shown, address } : undefined
  }

  isVideo(sent: string): boolean {
    return this.#known(located(sent, this.#hooks.base)) !== undefined
  }

  #video(address: URL, { player, file, label }: ShownVideo): void {
    const isLink = player === undefined && file === undefined
    if (isLink || this.writer.isOpen('a')) {
      this.#linkTo(address, label)
      return
    }
    const [name, source, more] = player === undefined ? ['video', file ?? '', ' controls'] : ['iframe', player, FRAME]
    this.writer.begin(name, attribute('src', source) + attribute('title', label) + more)
    this.writer.end(name)
  }

  /** Shows an image, or else a link to it. In a link, its text alone is shown instead. An image at the address of a known video is that video. */
  #image(attributes: Attributes): void {
    const video = this.#known(located(attributes.get('src'), this.#hooks.base))
    if (video) {
      this.#video(video.address, { ...video, label: attributes.get('alt')?.trim() || video.label })
      return
    }
    const address = located(attributes.get('src'), this.#hooks.base)
    const source = address && this.#hooks.image?.(address)
    if (source === undefined) this.#linkTo(address, attributes.get('alt')?.trim())
    else this.writer.begin('img', attribute('src', source) + harmless('img', attributes))
  }

  #linkTo(address: URL | undefined, alt: string | undefined): void {
    const text = alt || (address ? 'Image' : '')
    const isLink = address !== undefined && !this.writer.isOpen('a')
    if (isLink) this.writer.begin('a', attribute('href', address.href) + REL)
    this.writer.text(text)
    if (isLink) this.writer.end('a')
  }
}

/**
 * Returns what is allowed of HTML that people wrote, with mentions and images filled in. Nothing may change it afterwards. What is long takes several turns of
 * the event loop.
 */
export const safeHtml = async (html: string, hooks: HtmlHooks = {}): Promise<string> => {
  const sanitizer = new Sanitizer(hooks)
  if (!hooks.video) await readHtmlInSlices(html, sanitizer)
  else {
    const lines = new VideoLines(sanitizer, (address) => sanitizer.isVideo(address))
    await readHtmlInSlices(html, lines)
    lines.end()
  }
  return sanitizer.writer.finish()
}
