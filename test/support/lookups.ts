import type { TestService } from './service.ts'

type Store = Record<string, (...args: readonly unknown[]) => unknown>

/** Methods that query the read models. Not every store has all of them. */
const ASKING = ['get', 'getMany', 'find', 'count', 'findIds']

/** Records the queries to a store. @returns a function that restores its methods */
const note = (store: Store, lookups: string[]): (() => void) => {
  const names = ASKING.filter((name) => typeof store[name] === 'function')
  const own = new Map(names.map((name) => [name, Object.getOwnPropertyDescriptor(store, name)]))
  for (const name of names) {
    const original = store[name]!
    store[name] = (...args) => {
      lookups.push(`${name} ${String(args[0])}`)
      return original.apply(store, args as [])
    }
  }
  return () => {
    for (const [name, descriptor] of own) {
      if (descriptor) Object.defineProperty(store, name, descriptor)
      else delete store[name]
    }
  }
}

/** The read model queries that some work makes, as `method collection`. The service must get no other requests meanwhile. */
export const lookupsOf = async (
  { background }: TestService,
  work: () => Promise<unknown>,
): Promise<readonly string[]> => {
  const { live, watched } = background.stores.readModels
  const lookups: string[] = []
  const stores = new Set([live, watched].filter((store) => store !== undefined))
  const restore = [...stores].map((store) => note(store as unknown as Store, lookups))
  try {
    await work()
  } finally {
    for (const back of restore) back()
  }
  return lookups
}
