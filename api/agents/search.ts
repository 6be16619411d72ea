import type { Level } from '../../domain/kernel/values/scopes.ts'
import type { Route } from '../routes.ts'

const MOST = 20

/** Returns the words of a text, also of names such as `createContactsTags`, without the s of plurals. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/(?<=..)s$/, ''))

/** What else people call what operations do. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  add: ['create'],
  change: ['update'],
  delete: ['remove', 'destroy'],
  edit: ['update'],
  find: ['list'],
  get: ['list', 'fetch'],
  make: ['create'],
  mail: ['email'],
  newsletter: ['broadcast'],
  customer: ['contact'],
  show: ['get', 'list'],
}

const nounOf = ({ operationId, path, resource, operation }: Route): ReadonlySet<string> =>
  new Set(wordsOf(`${operationId} ${path} ${resource.title} ${operation.summary ?? ''} ${operation.method}`))

/** Returns how well an operation fits words: each word of the query that it has, and a little for being about little else. */
const fitOf = (route: Route, wanted: readonly string[]): number => {
  const words = nounOf(route)
  const found = wanted.filter((word) => words.has(word) || ALSO[word]?.some((other) => words.has(other))).length
  return found === 0 ? 0 : found + 1 / (1 + words.size)
}

/** Returns the operations that fit words best, the best first. */
export const search = (routes: readonly Route[], query: string, level?: Level): readonly Route[] => {
  const wanted = [...new Set(wordsOf(query))]
  return routes
    .filter((route) => level === undefined || route.level === level)
    .map((route) => ({ route, fit: fitOf(route, wanted) }))
    .filter(({ fit }) => fit > 0)
    .sort((one, other) => other.fit - one.fit)
    .slice(0, MOST)
    .map(({ route }) => route)
}
