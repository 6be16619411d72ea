import type { TestService } from './service.ts'

type Store = Record<string, (...args: readonly unknown[]) => unknown>

/** What asks the read models, of those that may be there. */
const ASKING = ['get', 'getMany', 'find', 'count', 'findIds']

/** Notes what is asked of a store. @returns gives it its methods back */
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

/** The look-ups of some work in the read models, as `method collection`, while nothing else is asked of the service. */
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
