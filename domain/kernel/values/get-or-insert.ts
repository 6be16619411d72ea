/** Returns the value of a map under a key. If there is none, makes one and inserts it. */
export const getOrInsert = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const made = make()
  map.set(key, made)
  return made
}
