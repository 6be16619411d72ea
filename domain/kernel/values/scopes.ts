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

/** What a request takes: a level of a category. */
export interface Access {
  readonly category: Category
  readonly level: Level
}

/** Returns the scope that allows an access. */
export const scopeOf = ({ category, level }: Access): string => `${category}:${level}`

/** Every scope that a token can have: two coarse ones, and two per category. */
export const SCOPES: readonly string[] = [
  'read',
  'write',
  ...CATEGORIES.flatMap((category) => [`${category}:read`, `${category}:write`]),
]

/** Scopes of the contract's token flow that allow nothing here. Applications send them, so a token may carry them. */
export const IGNORED_SCOPES: readonly string[] = ['admin', 'delete', 'mcp']

/** Returns warnings for the creator of a key with these scopes. */
export const scopeWarnings = (scopes: readonly string[]): readonly string[] =>
  scopes.length > 0 && scopes.every((scope) => scope === 'read')
    ? [
        "'read' alone does not make a key read-only: such a key may write. A key that may only read names what it reads: " +
          "'<category>:read', such as 'contacts:read', or 'read,contacts:read' for every category",
      ]
    : []

/**
 * Tells whether scopes allow an access (spec 5.4). A token with only coarse scopes is a legacy token and unrestricted: `read`
 * alone does not make it read-only. Together with a category scope, a coarse scope grants its level for every category.
 */
export const allows = (scopes: readonly string[], category: Category, level: Level): boolean => {
  const restricted = scopes.some((scope) => scope.includes(':'))
  if (!restricted) return scopes.includes('read') || scopes.includes('write')
  if (scopes.includes('write') || scopes.includes(`${category}:write`)) return true
  return level === 'read' && (scopes.includes('read') || scopes.includes(`${category}:read`))
}

/** Tells whether scopes allow nothing that others do not allow. */
export const allowsNoMore = (scopes: readonly string[], held: readonly string[]): boolean =>
  CATEGORIES.every((category) =>
    (['read', 'write'] as const).every((level) => !allows(scopes, category, level) || allows(held, category, level)),
  )

/** Category whose read access is needed to see personal data, wherever it is shown. */
export const PERSONAL_DATA_CATEGORY: Category = 'contacts'

/** Tells whether scopes allow access to personal data. */
export const seesPersonalData = (scopes: readonly string[]): boolean => allows(scopes, PERSONAL_DATA_CATEGORY, 'read')
