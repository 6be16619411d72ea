import type { CoreHost } from '../../../sdk/core/host.ts'

/** A call of `fetch` that waits for its answer. */
export interface WaitingCall {
  readonly path: string
  readonly options: RequestInit
  // biome-ignore lint/suspicious/noExplicitAny: bodies are compared, never used
  readonly body: any
  answer(value: object): void
  fail(): void
}

export interface FakeHost extends CoreHost {
  readonly calls: WaitingCall[]
  readonly texts: string[]
  readonly replaced: string[]
  readonly stored: Map<string, string>
  readonly storedOfTab: Map<string, string>
  cookies: Map<string, string>
  /** What keeps the browser from storing things. */
  refuses: { cookies?: boolean; storage?: boolean }
  consent: string | undefined
  referrer: string
}

/** Storage that a browser may refuse. */
const storageOf = (stored: Map<string, string>, isRefused: () => boolean | undefined) => {
  const allow = () => {
    if (isRefused()) throw new DOMException('no', 'SecurityError')
  }
  const storage = {
    getItem: (key: string) => {
      allow()
      return stored.get(key) ?? null
    },
    setItem: (key: string, value: string) => {
      allow()
      stored.set(key, value)
    },
    removeItem: (key: string) => {
      allow()
      stored.delete(key)
    },
  }
  return storage as unknown as Storage
}

/** What the SDK uses of a document, without elements. */
const documentOf = (host: () => FakeHost) => ({
  get referrer() {
    return host().referrer
  },
  get cookie() {
    if (host().refuses.cookies) throw new DOMException('no', 'SecurityError')
    return [...host().cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  },
  set cookie(text: string) {
    if (host().refuses.cookies) throw new DOMException('no', 'SecurityError')
    const [, name = '', value = '', rest = ''] = /^(\w+)=([^;]*)(.*)$/.exec(text) ?? []
    if (rest.includes('max-age=0')) host().cookies.delete(name)
    else host().cookies.set(name, value)
  },
  querySelector: (selector: string) =>
    selector === 'meta[name=cf-consent][content=denied]' && host().consent === 'denied' ? {} : null,
})

/** A browser of nothing but memory, at an address. */
export const fakeHost = (address = 'http://shop.test/'): FakeHost => {
  const calls: WaitingCall[] = []
  const stored = new Map<string, string>()
  const storedOfTab = new Map<string, string>()
  const texts: string[] = []
  const replaced: string[] = []
  const say = (...words: unknown[]) => void texts.push(words.map(String).join(' '))
  let count = 0
  const host: FakeHost = {
    sdk: 'https://sdk.test',
    window: Object.assign(new EventTarget(), { setTimeout, clearTimeout }) as unknown as CoreHost['window'],
    document: documentOf(() => host) as unknown as Document,
    location: new URL(address) as unknown as Location,
    storage: storageOf(stored, () => host.refuses.storage),
    tab: storageOf(storedOfTab, () => host.refuses.storage),
    fetch: (input, options = {}) =>
      new Promise((resolve, reject) => {
        calls.push({
          path: String(input).replace('https://sdk.test', ''),
          options,
          body: options.body && JSON.parse(String(options.body)),
          answer: (value) => resolve(new Response(JSON.stringify(value))),
          fail: () => reject(new TypeError('Failed to fetch')),
        })
      }),
    console: { log: say, warn: say },
    now: () => 1000,
    random: () => String(++count).padStart(22, 'r'),
    load: () => Promise.reject(new Error('no chunks here')),
    submit: () => {},
    replaceUrl: (url) => void replaced.push(url),
    watch: () => {},
    ...{
      calls,
      texts,
      replaced,
      stored,
      storedOfTab,
      cookies: new Map(),
      refuses: {},
      consent: undefined,
      referrer: '',
    },
  }
  return host
}

/** Lets everything happen that waits for nothing. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
