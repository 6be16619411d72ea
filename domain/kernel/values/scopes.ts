/** Categories of data that a token may be limited to (spec 5.3). */
export const CATEGORIES = [
  'contacts',
  'workflows',
  'funnels',
  'sites',
  'courses',
  'emails',
  'blog',
  'community',
  'appointments',
  'opportunities',
  'store',
  'forms',
  'media',
  'webhooks',
  'account',
  'reference',
] as const

export type Category = (typeof CATEGORIES)[number]
export type Level = 'read' | 'write'

/** Every scope that a token can hold: the two coarse ones and two per category. */
export const SCOPES: readonly string[] = [
  'read',
  'write',
  ...CATEGORIES.flatMap((category) => [`${category}:read`, `${category}:write`]),
]

/** What whoever makes a key with these scopes should know. */
export const scopeWarnings = (scopes: readonly string[]): readonly string[] =>
  scopes.length > 0 && scopes.every((scope) => scope === 'read')
    ? [
        "'read' alone does not make a key read-only: such a key may write. A key that may only read names what it reads: " +
          "'<category>:read', such as 'contacts:read', or 'read,contacts:read' for every category",
      ]
    : []

/**
 * Whether scopes allow an access (spec 5.4). A token with only coarse scopes is a legacy token and unrestricted: a bare
 * `read` does not enforce read-only. Beside a category scope, a coarse one adds its level for every category.
 */
export const allows = (scopes: readonly string[], category: Category, level: Level): boolean => {
  const restricted = scopes.some((scope) => scope.includes(':'))
  if (!restricted) return scopes.includes('read') || scopes.includes('write')
  if (scopes.includes('write') || scopes.includes(`${category}:write`)) return true
  return level === 'read' && (scopes.includes('read') || scopes.includes(`${category}:read`))
}

/** The category that personal data belong to, wherever they are shown. */
export const PERSONS: Category = 'contacts'

/** Whether scopes allow to see personal data. */
export const seesPersonalData = (scopes: readonly string[]): boolean => allows(scopes, PERSONS, 'read')
