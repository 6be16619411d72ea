/** Where each provider has its videos: on these domains, and below them. */
const DOMAINS = {
  youtube: ['youtube.com', 'youtu.be', 'youtube-nocookie.com'],
  vimeo: ['vimeo.com'],
  loom: ['loom.com'],
  voomly: ['voomly.com'],
} as const

export type Provider = keyof typeof DOMAINS

export const PROVIDERS = ['youtube', 'vimeo', 'loom', 'voomly'] as const satisfies readonly Provider[]

/** Returns who has the video at an address, by its host as browsers read it; `null`: nobody known. */
export const providerOf = (url: string): Provider | null => {
  if (!URL.canParse(url)) return null
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return null
  const host = hostname.replace(/\.$/, '')
  const isOn = (domain: string) => host === domain || host.endsWith(`.${domain}`)
  return PROVIDERS.find((provider) => DOMAINS[provider].some(isOn)) ?? null
}
