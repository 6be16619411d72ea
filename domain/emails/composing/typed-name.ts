/** A word that mail programs make a link of, or that leads to one: it has a scheme, an `@`, or a dot between letters as a domain has. */
const LIKE_A_LINK = /:\/|:\\|@|^www\.|[\p{L}\p{N}][.。．｡]\p{L}{2}/iu

/** Returns a name as mail shows it, whoever has typed it: without what would make a link of it. */
export const shownName = (name: string): string =>
  name
    .split(/(\s+)/)
    .map((word) => (LIKE_A_LINK.test(word) ? word.replace(/[.。．｡:/\\@?#]+/gu, ' ').trim() : word))
    .join('')
    .trim()
