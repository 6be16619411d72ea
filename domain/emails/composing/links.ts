import type { Replacement } from './document.ts'
import type { FoundLink } from './mail-reader.ts'

/** Longest URL that is wrapped: the link around it must not be too long for mail programs. */
const LONGEST = 1500

/** Whether one of the links that are shown leads to a URL. */
export const leadsTo = (links: readonly FoundLink[], wanted: string): boolean =>
  links.some(({ url, isHidden }) => url === wanted && !isHidden)

/** Whether a URL leads to a web page. */
export const isWeb = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url)

/** Whether what is written on a link is an address. If it led elsewhere, mail programs would warn of it. */
const showsAddress = ({ url, text }: FoundLink): boolean => {
  const shown = text.trim()
  if (/^(?:https?:\/\/|www\.)\S+$/i.test(shown)) return true
  return URL.canParse(`https://${shown}`) && new URL(`https://${shown}`).host === new URL(url).host
}

/**
 * Leads links over URLs by which clicks are counted. What is no web address stays as it is, and so do our own links, by which people
 * unsubscribe, and links that show an address.
 */
export const wrapped = (
  links: readonly FoundLink[],
  { urlOf, isOwn }: { urlOf(url: string, number: number): string; isOwn(url: string): boolean },
): readonly Replacement[] =>
  links.flatMap((link, number) => {
    const { url, from, to } = link
    const isLed = isWeb(url) && !isOwn(url) && url.length <= LONGEST && !showsAddress(link)
    return isLed ? [{ from, to, by: urlOf(url, number) }] : []
  })
