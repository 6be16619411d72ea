import type { Host } from '../../checkout-port.ts'
import { make } from '../page/elements.ts'

/** Time a gateway has to appear. A buyer who waits longer than this without a word goes away. */
export const PATIENCE = 10_000

/** Rejects what takes too long. */
export const within = <T>({ window }: Pick<Host, 'window'>, work: Promise<T>): Promise<T> => {
  let timer: number | undefined
  const late = new Promise<never>((_, reject) => {
    timer = window.setTimeout(() => reject(new Error('timed out')), PATIENCE)
  })
  return Promise.race([work, late]).finally(() => window.clearTimeout(timer))
}

/** How often a script has failed, by its address. */
const failures = new Map<string, number>()

/** Returns another address for a retry: a browser lets a request wait for one to the same address that hangs. */
const addressOf = (url: string): string => {
  const times = failures.get(url) ?? 0
  return times === 0 ? url : `${url}?retry=${times}`
}

/**
 * Loads a gateway's script, unless the page has done so itself, and returns the global that it defines. A script that failed is taken out
 * of the page, so that the next call tries again.
 */
export const loadGlobal = async <T>(host: Host, url: string, name: string): Promise<T> => {
  const view = host.document.defaultView ?? {}
  const read = (): T | undefined => Reflect.get(view, name)
  const there = read()
  if (there) return there
  const script = make(host.document, 'script', { src: addressOf(url), async: true })
  try {
    const loaded = new Promise((resolve, reject) => {
      script.addEventListener('load', resolve)
      script.addEventListener('error', () => reject(new Error(`${url} could not be loaded`)))
    })
    host.document.head.append(script)
    await within(host, loaded)
    const global = read()
    if (!global) throw new Error(`${url} defines no ${name}`)
    return global
  } catch (error) {
    script.remove()
    failures.set(url, (failures.get(url) ?? 0) + 1)
    throw error
  }
}
