import { Body } from './body.ts'
import { eachPage, type ListedPage } from './listing.ts'
import type { Reading, Site } from './site.ts'

/** Crawlers by the setting of a page that keeps them out. Each crawler obeys only the group that names it. */
const AGENTS = {
  block_ai_crawler: ['GPTBot', 'ClaudeBot', 'Google-Extended'],
  block_ai_search: ['OAI-SearchBot', 'PerplexityBot'],
  block_ai_assistant: ['ChatGPT-User', 'Claude-User'],
} as const

/**
 * `robots.txt` of every site while it is not known which pages it keeps from whom. Search engines find them again when they ask for one, as each answers
 * 503 meanwhile; crawlers that a page may keep out wait.
 */
export const ROBOTS_BEFORE = `${Object.values(AGENTS)
  .flat()
  .map((agent) => `User-agent: ${agent}\n`)
  .join('')}Disallow: /\n\nUser-agent: *\nDisallow:\n`

const FLAGS = Object.keys(AGENTS) as (keyof typeof AGENTS)[]

/** Rules for one path and nothing below it. The characters that rules give a meaning are escaped. */
const rulesFor = (path: string): readonly string[] => {
  const literal = path.replace(/[$*]/g, (character) => (character === '$' ? '%24' : '%2A'))
  return [`Disallow: ${literal}$`, `Disallow: ${literal}?`]
}

/**
 * Returns the `robots.txt` of a site. Only pages on steps of funnels can be kept from crawlers, by the paths of their steps. Whether search engines may
 * index a page is said by the page itself: a crawler that must not fetch it would not see that.
 */
export const robotsOf = async (site: Site, reading: Reading): Promise<Body> => {
  const blocked = new Map(FLAGS.map((flag): [keyof typeof AGENTS, Set<string>] => [flag, new Set()]))
  let origin: string | undefined
  await eachPage(site, reading, ({ page, funnel, url }: ListedPage) => {
    origin ??= url.origin
    if (!funnel) return
    for (const flag of FLAGS) if (page[flag]) blocked.get(flag)?.add(url.pathname)
  })
  const groups = FLAGS.flatMap((flag) => {
    const paths = [...blocked.get(flag)!]
    if (paths.length === 0) return []
    return [[...AGENTS[flag].map((agent) => `User-agent: ${agent}`), ...paths.flatMap(rulesFor)].join('\n')]
  })
  const map = origin === undefined ? [] : [`Sitemap: ${origin}/sitemap.xml`]
  const text = [...groups, 'User-agent: *\nDisallow:', ...map].join('\n\n')
  return new Body(`${text}\n`, { 'Content-Type': 'text/plain; charset=utf-8' })
}
