import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type AnyNode, parse } from 'acorn'

const BUILT = path.join(import.meta.dirname, '../..')
const ROOMS = ['domain', 'api', 'workers', 'projections', 'infra']

/** Functions whose arguments declare records. The texts in these name attributes without reading them. */
const DECLARING: ReadonlySet<string> = new Set(['model', 'record', 'job', 'tag', 'linkModel', 'mergeAttributes'])

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const nameOf = (key: AnyNode): readonly string[] =>
  key.type === 'Identifier' ? [key.name] : key.type === 'Literal' ? [String(key.value)] : []

/** Names that a node itself reads: `x.name`, `{ name } = x`, a text outside of declarations, and a field of a query. */
const readBy = (node: AnyNode, isDeclaring: boolean): readonly string[] => {
  if (node.type === 'MemberExpression') return node.computed ? [] : nameOf(node.property)
  if (node.type === 'Literal') return isDeclaring || typeof node.value !== 'string' ? [] : [node.value]
  const pattern =
    node.type === 'ObjectPattern'
      ? node
      : node.type === 'Property' && nameOf(node.key).includes('where') && node.value.type === 'ObjectExpression'
        ? node.value
        : undefined
  return pattern?.properties.flatMap((one) => (one.type === 'Property' ? nameOf(one.key) : [])) ?? []
}

const declares = (node: AnyNode, isDeclaring: boolean): boolean => {
  if (node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression') return false
  const isCall = node.type === 'CallExpression' && node.callee.type === 'Identifier'
  return isDeclaring || (isCall && nameOf(node.callee).some((name) => DECLARING.has(name)))
}

const visit = (value: unknown, isDeclaring: boolean, read: Set<string>): void => {
  if (Array.isArray(value)) for (const one of value) visit(one, isDeclaring, read)
  if (!isNode(value)) return
  const within = declares(value, isDeclaring)
  for (const name of readBy(value, within)) read.add(name)
  for (const one of Object.values(value)) visit(one, within, read)
}

/** Returns all names that the code of the product reads, whatever they are names of. */
export const readNames = (): ReadonlySet<string> => {
  const read = new Set<string>()
  for (const room of ROOMS)
    for (const file of readdirSync(path.join(BUILT, room), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.js')) continue
      const source = readFileSync(path.join(BUILT, room, file), 'utf8')
      visit(parse(source, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true }), false, read)
    }
  return read
}
