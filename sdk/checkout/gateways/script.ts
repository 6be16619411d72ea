import type { Host } from '../../checkout-port.ts'
import { PATIENCE } from '../field-states.ts'
import { make } from '../page/elements.ts'

/** The script of a gateway, for all on the page that need it. */
export interface Script<T> {
  /** Resolves when the script has come, by whichever request and however late. Never rejects. */
  readonly arrives: Promise<unknown>
  /** The global that the script defines, once it is there. */
  read(): T | undefined
  /**
   * Asks for the script unless it is there, or was asked for just now. Rejects when it cannot be had; the next call asks again. A request
   * that is slow goes on beside a later one.
   */
  load(): Promise<unknown>
}

/** Scripts by their addresses: a page has each once, however many checkouts it has shown. */
const scripts = new Map<string, Script<unknown>>()

/** Puts a script into the page. One that failed is taken out again. */
const request = (host: Host, url: string, isThere: () => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = make(host.document, 'script', { src: url, async: true })
    const fail = (reason: string) => {
      script.remove()
      reject(new Error(`${url} ${reason}`))
    }
    script.addEventListener('load', () => (isThere() ? resolve() : fail('does not define what it should')))
    script.addEventListener('error', () => fail('could not be loaded'))
    host.document.head.append(script)
  })

const createScript = <T>(host: Host, url: string, name: string): Script<T> => {
  const read = (): T | undefined => Reflect.get(host.document.defaultView ?? {}, name)
  let arrived = () => {}
  const arrives = new Promise<void>((resolve) => {
    arrived = resolve
  })
  let asked = 0
  let last: { readonly since: number; readonly loaded: Promise<void> } | undefined

  const ask = () => {
    // Another address for a retry: a browser lets a request wait for one to the same address that hangs.
    const loaded = request(host, asked === 0 ? url : `${url}?retry=${asked}`, () => read() !== undefined)
    asked += 1
    const mine = { since: host.now(), loaded }
    last = mine
    loaded.then(arrived, () => {
      if (last === mine) last = undefined
    })
    return loaded
  }
  return {
    arrives,
    read,
    async load() {
      if (read() !== undefined) return arrived()
      const loaded = last && host.now() - last.since < PATIENCE ? last.loaded : ask()
      await Promise.race([loaded, arrives])
    },
  }
}

/** Returns the script of an address, which defines a global of this name. The page may have loaded it by itself. */
export const scriptOf = <T>(host: Host, url: string, name: string): Script<T> => {
  const known = scripts.get(url)
  if (known) return known as Script<T>
  const script = createScript<T>(host, url, name)
  scripts.set(url, script)
  return script
}
