/** More than anybody reads; the rest of a header is passed over. */
const MOST = 20

const canonical = (tag: string): string | undefined => {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

/** The languages that a request asks for (`Accept-Language`, RFC 9110), the most wanted first; what is no language is passed over. */
export const localesIn = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(',', MOST)
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(/\s*;\s*/)
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2)
      return { locale: canonical(tag), weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0 && weight <= 1)
    .sort((a, b) => b.weight - a.weight)
    .flatMap(({ locale }) => locale ?? [])
