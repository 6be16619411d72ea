/** Collects the keys that are requested in one turn of the event loop and loads them together. Loads no key twice. */
export class Batcher<K, V> {
  readonly #load: (keys: readonly K[]) => Promise<readonly V[]>
  readonly #known = new Map<K, Promise<V>>()
  #waiting: { key: K; resolve: (value: V) => void; reject: (error: unknown) => void }[] = []

  constructor(load: (keys: readonly K[]) => Promise<readonly V[]>) {
    this.#load = load
  }

  get(key: K): Promise<V> {
    const known = this.#known.get(key)
    if (known) return known
    const value = new Promise<V>((resolve, reject) => {
      if (this.#waiting.length === 0) queueMicrotask(() => this.#flush())
      this.#waiting.push({ key, resolve, reject })
    })
    this.#known.set(key, value)
    return value
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    try {
      const values = await this.#load(waiting.map(({ key }) => key))
      for (const [index, { resolve }] of waiting.entries()) resolve(values[index]!)
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }
}
