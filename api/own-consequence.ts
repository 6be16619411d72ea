import type { Route } from './routes.ts'

/** What is said of an operation whose declaration does not say what follows from it. */
const UNKNOWN = 'does something of which it is not known what follows'

/** Returns what an operation does by itself, whatever its fields; `null`: nothing. One that does not say it counts as if it did something. */
export const ownConsequence = ({ method, level, operation }: Route): string | null => {
  if (level === 'read') return null
  if (operation.kind === 'write' && operation.effects?.includes('destroyKey')) return 'erases a person for good'
  const { consequence = UNKNOWN } = operation
  return consequence === null && method === 'DELETE' ? 'removes or ends something' : consequence
}
