/** Words in the user agents of crawlers, previews of links, and checks whether a page is up. */
const WORDS =
  /bot\b|bot[/;_-]|crawl|spider|slurp|facebookexternalhit|embedly|preview|monitor|uptime|pingdom|statuscake|site24x7|curl\/|wget|python|httpclient|http-client|okhttp|go-http|java\/|libwww|lighthouse|pagespeed|chatgpt-user|claude-user|google-extended|mediapartners|feedfetcher|whatsapp|telegram|skypeuri|vkshare/i

/** Returns whether a user agent is that of a program that visits pages by itself. Every browser sends one, so none is a program too. */
export const isCrawler = (userAgent: string | undefined): boolean => !userAgent || WORDS.test(userAgent)
