/** Video of a provider: its name and the address of its player. */
export interface Player {
  readonly provider: string
  readonly src: string
}

const ID = /^[\w-]{1,64}$/
/** Time at which a video begins, such as `90`, `90s` or `1h2m3s`. */
const TIME = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/
const MINUTE = 60
const HOUR = 3600

const secondsIn = (time: string | null | undefined): number => {
  const [hours, minutes, seconds] = (TIME.exec(time ?? '') ?? []).slice(1).map((part) => Number(part ?? 0))
  return (hours ?? 0) * HOUR + (minutes ?? 0) * MINUTE + (seconds ?? 0)
}

const playerAt = (
  provider: string,
  base: string,
  id: string | null | undefined,
  more: string | undefined = '',
): Player | undefined => (id && ID.test(id) ? { provider, src: base + id + more } : undefined)

/** Paths of YouTube whose second part is the id of a video. */
const PATHS: ReadonlySet<string | undefined> = new Set(['embed', 'live', 'shorts', 'v'])

const youTube = ({ hostname, searchParams }: URL, parts: readonly string[]): Player | undefined => {
  const isShort = hostname === 'youtu.be'
  const id = isShort ? parts[0] : PATHS.has(parts[0]) ? parts[1] : searchParams.get('v')
  const list = searchParams.get('list') ?? ''
  const start = secondsIn(searchParams.get('t') ?? searchParams.get('start'))
  const more = [...(start > 0 ? [`start=${start}`] : []), ...(ID.test(list) ? [`list=${list}`] : [])].join('&')
  return playerAt('YouTube', 'https://www.youtube-nocookie.com/embed/', id, more && `?${more}`)
}

const vimeo = ({ hash, searchParams }: URL, parts: readonly string[]): Player | undefined => {
  const at = parts.findIndex((part) => /^\d+$/.test(part))
  // Behind its id, a video that is not listed has a key.
  const key = searchParams.get('h') ?? parts[at + 1] ?? ''
  const start = secondsIn(new URLSearchParams(hash.slice(1)).get('t'))
  const more = (/^[\da-f]{6,32}$/.test(key) ? `?h=${key}` : '') + (start > 0 ? `#t=${start}s` : '')
  return playerAt('Vimeo', 'https://player.vimeo.com/video/', parts[at], more)
}

const loom = (_: URL, parts: readonly string[]) =>
  playerAt('Loom', 'https://www.loom.com/embed/', parts[0] === 'share' || parts[0] === 'embed' ? parts[1] : undefined)

const wistia = (_: URL, parts: readonly string[]) =>
  playerAt('Wistia', 'https://fast.wistia.net/embed/iframe/', parts.at(-1))

/** Domains of providers. Their videos are on them, and below them. */
const PROVIDERS = [
  ['youtube.com', youTube],
  ['youtu.be', youTube],
  ['youtube-nocookie.com', youTube],
  ['vimeo.com', vimeo],
  ['loom.com', loom],
  ['wistia.com', wistia],
  ['wistia.net', wistia],
] as const

/** Returns the player of a provider, which the host of an address decides; `undefined` for any other address. */
export const playerOf = (address: string): Player | undefined => {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  url.hostname = url.hostname.replace(/\.$/, '')
  const { hostname } = url
  const found = PROVIDERS.find(([domain]) => hostname === domain || hostname.endsWith(`.${domain}`))
  return found?.[1](
    url,
    url.pathname.split('/').filter((part) => part !== ''),
  )
}

/** Hosts of the players of all providers. */
export const PLAYER_HOSTS = [
  'https://www.youtube-nocookie.com',
  'https://player.vimeo.com',
  'https://www.loom.com',
  'https://fast.wistia.net',
]
