import { escapeHtml } from '../../domain/kernel/values/html.ts'
import { eachPost } from './blog/listing.ts'
import { Body } from './body.ts'
import { eachPage } from './listing.ts'
import type { Outcome, Until } from './outcome.ts'
import type { Reading, Site } from './site.ts'

/** Most addresses of one file (sitemaps.org). */
const MOST_PER_FILE = 50_000
const BEGIN = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

const fileOf = (name: string, entries: readonly string[]): string =>
  `${BEGIN}<${name} ${NAMESPACE}>\n${entries.join('\n')}\n</${name}>\n`

const xml = (text: string, until: Until | undefined): Outcome => ({
  kind: 'body',
  body: new Body(text, { 'Content-Type': 'application/xml; charset=utf-8' }),
  until,
})

/** An address in a sitemap. */
interface Entry {
  readonly origin: string
  readonly text: string
}

const entryOf = (url: URL, changed?: string): Entry => {
  const lastmod = changed === undefined ? '' : `<lastmod>${escapeHtml(changed)}</lastmod>`
  return { origin: url.origin, text: `<url><loc>${escapeHtml(url.href)}</loc>${lastmod}</url>` }
}

/** Returns the addresses that search engines may index, with the times of their last change, and when a post will be another one. */
const entriesOf = async (site: Site, reading: Reading) => {
  const entries: Entry[] = []
  await eachPage(site, reading, ({ page, funnel, url }) => {
    if (page.seo_index && funnel?.live_mode !== false) entries.push(entryOf(url, page.updated_at))
  })
  const until = await eachPost(site, reading, ({ url, changed }) => void entries.push(entryOf(url, changed)))
  return { entries, until }
}

const textsOf = (entries: readonly Entry[]) => entries.map(({ text }) => text)

/** Returns the sitemap with these addresses; with more of them than a file may have, the index of its files. */
export const mapOf = (entries: readonly Entry[]): string => {
  if (entries.length <= MOST_PER_FILE) return fileOf('urlset', textsOf(entries))
  const files = Array.from({ length: Math.ceil(entries.length / MOST_PER_FILE) }, (_, index) => index + 1)
  const located = files.map(
    (file) => `<sitemap><loc>${escapeHtml(`${entries[0]!.origin}/sitemap-${file}.xml`)}</loc></sitemap>`,
  )
  return fileOf('sitemapindex', located)
}

/** Returns one file of a sitemap that has several; `undefined` when there is no such file. */
export const partOf = (entries: readonly Entry[], file: number): string | undefined => {
  const part = entries.slice((file - 1) * MOST_PER_FILE, file * MOST_PER_FILE)
  return part.length === 0 ? undefined : fileOf('urlset', textsOf(part))
}

/** Returns the sitemap of a site. */
export const sitemapOf = async (site: Site, reading: Reading): Promise<Outcome> => {
  const { entries, until } = await entriesOf(site, reading)
  return xml(mapOf(entries), until)
}

/** Returns one file of the sitemap of a site. */
export const sitemapFile = async (site: Site, file: number, reading: Reading): Promise<Outcome | undefined> => {
  const { entries, until } = await entriesOf(site, reading)
  const text = partOf(entries, file)
  return text === undefined ? undefined : xml(text, until)
}
