import { CATEGORIES, type Category, type Level } from '../../domain/kernel/values/scopes.ts'

/** Category scope that a coarse scope grants anyway. It makes coarse scopes mean what they say. */
const RESTRICTING = 'reference:read'

/**
 * Returns the scopes by which the operations judge an agent. On the API a bare `read` does not make a token read-only (spec 5.4); for an agent it does.
 */
export const enforcedScopes = (scopes: readonly string[]): readonly string[] =>
  scopes.length === 0 || scopes.some((scope) => scope.includes(':')) ? scopes : [...scopes, RESTRICTING]

/** An access that scopes may allow. */
export interface Access {
  readonly category: Category
  readonly level: Level
}

/** All accesses that there are. */
export const ACCESSES: readonly Access[] = CATEGORIES.flatMap((category) =>
  (['read', 'write'] as const).map((level) => ({ category, level })),
)
