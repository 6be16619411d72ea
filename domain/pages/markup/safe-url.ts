/** Characters that browsers leave out of an address before they read its scheme. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters in question
const IGNORED = /[\u0000-\u0020\u007f]+/g
const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const OF_LINKS: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel'])
const OF_MEDIA: ReadonlySet<string> = new Set(['http', 'https'])

/** Attributes that hold an address, by element, with the schemes that each may have. */
const ADDRESSES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['button href', OF_LINKS],
  ['link href', OF_LINKS],
  ['image src', OF_MEDIA],
  ['video src', OF_MEDIA],
  ['section bgimage', OF_MEDIA],
])

/** Returns whether an attribute holds an address that a page must not have, such as one that runs a script. Paths and `#id` are always safe. */
export const isUnsafeAddress = (element: string, attribute: string, value: string | undefined): boolean => {
  const schemes = ADDRESSES.get(`${element} ${attribute}`)
  if (!schemes || value === undefined) return false
  const [, scheme] = SCHEME.exec(value.replace(IGNORED, '')) ?? []
  return scheme !== undefined && !schemes.has(scheme.toLowerCase())
}
