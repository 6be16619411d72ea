/** Highest number of languages read from a header: more than anybody speaks. The rest is ignored. */
const MOST = 20
/** Longest tag that is read. RFC 5646 expects registered tags to fit into 35 characters. */
const LONGEST = 64

const canonical = (tag: string): string | undefined => {
  if (tag.length > LONGEST) return undefined
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

/** Returns the languages of an `Accept-Language` header (RFC 9110), the most preferred first. Parts that are no language are ignored. */
export const localesIn = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(',', MOST)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim())
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2)
      return { locale: canonical(tag), weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0 && weight <= 1)
    .sort((a, b) => b.weight - a.weight)
    .flatMap(({ locale }) => locale ?? [])
