import { attributesIn, replaceValues } from './attributes.ts'

const LINKS = { elements: ['a', 'area'], attribute: 'href' } as const

/** Longest URL that is wrapped: the link around it must not be too long for mail programs. */
const LONGEST = 1500

/** Returns the destinations of the links in HTML, as their author wrote them. */
export const destinationsIn = (html: string): readonly string[] =>
  attributesIn(html, LINKS).map(({ value }) => value.trim())

/** Whether a link in HTML leads to a URL. */
export const leadsTo = (html: string, url: string): boolean => html.includes(url) && destinationsIn(html).includes(url)

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url)

/**
 * Leads the links of HTML over URLs by which clicks are counted. What is no web address stays as it is, and so do our own links, by which people
 * unsubscribe.
 */
export const wrapLinks = (
  html: string,
  { urlOf, isOwn }: { urlOf(url: string, number: number): string; isOwn(url: string): boolean },
): string =>
  replaceValues(html, attributesIn(html, LINKS), (value, number) => {
    const url = value.trim()
    return isWeb(url) && !isOwn(url) && url.length <= LONGEST ? urlOf(url, number) : undefined
  })
