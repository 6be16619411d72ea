import { beginningOf } from '../../kernel/values/characters.ts'

/** Turns a name into a slug: `Summer Sale — 2026!` → `summer-sale-2026`. Returns `fallback` if nothing is left. No character is cut in two. */
export const slugOf = (name: string, fallback: string): string => {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return beginningOf(slug, 100).replace(/-$/, '') || fallback
}

/** Returns a path, trimmed, with exactly one leading slash and otherwise as it was sent. */
export const rooted = (path: string): string => `/${path.trim().replace(/^\/+/, '')}`
