/** `Summer Sale — 2026!` → `summer-sale-2026`; `fallback` when nothing is left of it. */
export const slugOf = (name: string, fallback: string): string => {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return slug.slice(0, 100).replace(/-+$/, '') || fallback
}

/** A path with exactly one slash in front, however it was written; otherwise as it was sent. */
export const rooted = (path: string): string => `/${path.trim().replace(/^\/+/, '')}`
