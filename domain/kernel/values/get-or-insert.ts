interface Gettable<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

/** Returns the value of a map under a key. If there is none, makes one and inserts it. */
export const getOrInsert = <K, V>(map: Gettable<K, V>, key: K, make: () => V): V => {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const made = make()
  map.set(key, made)
  return made
}
