import type { PageContent, RenderSettings } from './context.ts'
import { PLAYER_HOSTS } from './player.ts'

/** What the policy of a page depends on. */
export interface PolicyInput {
  readonly content: PageContent
  readonly settings: RenderSettings
  /** The page has code of its author. */
  readonly hasCode: boolean
  readonly hasCheckout: boolean
  /** The page sells something, so that a click on it in a frame of another site could cost money. */
  readonly sells: boolean
  readonly fontsUsed: boolean
}

const FONT_CSS = 'https://fonts.googleapis.com'
const FONT_FILES = 'https://fonts.gstatic.com'
const GATEWAY_SCRIPTS = ['https://js.stripe.com', 'https://framepay.payments.ai']
const GATEWAY_CALLS = ['https://api.stripe.com']

const directive = (name: string, ...sources: readonly (string | undefined | false)[]): string =>
  [name, ...sources.filter((source) => source)].join(' ')

const all = (condition: boolean, sources: readonly string[]): readonly string[] => (condition ? sources : [])

/**
 * Returns the Content-Security-Policy of a page. Code of an author may load what it likes: nobody but the author could say from where. Pages without any
 * run the scripts of the service and of the SDK alone.
 */
export const policyOf = ({ content, settings, hasCode, hasCheckout, sells, fontsUsed }: PolicyInput): string => {
  const frame = sells ? [directive('frame-ancestors', "'self'", ...content.frameAncestors)] : []
  if (hasCode) return ["object-src 'none'", "base-uri 'self'", ...frame].join('; ')
  const { sdkUrl, thirdParty } = settings
  return [
    "default-src 'none'",
    "base-uri 'none'",
    directive('script-src', "'self'", sdkUrl, ...all(hasCheckout, GATEWAY_SCRIPTS)),
    directive("style-src 'self' 'unsafe-inline'", fontsUsed && FONT_CSS, ...all(hasCheckout, GATEWAY_SCRIPTS.slice(1))),
    directive("font-src 'self'", fontsUsed && FONT_FILES),
    "img-src 'self' data:",
    "media-src 'self' https: http:",
    directive('connect-src', "'self'", sdkUrl, ...all(hasCheckout, GATEWAY_CALLS)),
    directive('form-action', "'self'", sdkUrl),
    directive(
      'frame-src',
      "'self'",
      ...all(hasCheckout, GATEWAY_SCRIPTS),
      ...all(thirdParty.has('videos'), PLAYER_HOSTS),
    ),
    ...frame,
  ].join('; ')
}
