import { LRUCache } from 'lru-cache'

interface Bounds {
  /** Highest number of results that are remembered. */
  readonly most: number
  /** Length of the longest text whose result is. Default: any. */
  readonly longest?: number
}

/** Returns a function that reads texts and remembers its last results: the same few texts come again and again. */
export const remembering = <T>(
  read: (text: string) => T,
  { most, longest = Infinity }: Bounds,
): ((text: string) => T) => {
  const known = new LRUCache<string, { readonly result: T }>({ max: most })
  return (text) => {
    const found = known.get(text)
    if (found) return found.result
    const result = read(text)
    if (text.length <= longest) known.set(text, { result })
    return result
  }
}
