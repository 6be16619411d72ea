import type { Model } from './model.ts'
import { PERSON_FIELD, PERSONAL } from './personal.ts'

/** Fields of the record header, which every document has. */
export const HEADER_FIELDS = ['id', 'public_id', 'team_id', 'workspace_id', 'created_at', 'updated_at', 'rev'] as const

/** First character of all other fields that the engine and the stores add to documents. No attribute begins with it. */
export const ENGINE_PREFIX = '_'

const RESERVED: ReadonlySet<string> = new Set([...HEADER_FIELDS, PERSONAL, PERSON_FIELD])

const isReserved = (name: string): boolean => RESERVED.has(name) || name.startsWith(ENGINE_PREFIX)

type Declaration = Pick<Model, 'name' | 'owner' | 'attributes' | 'blindIndexes' | 'children'>

/**
 * Checks that no two parts of a document share a field, and that no attribute of a child replaces its id in events.
 *
 * @throws {Error} naming the field
 */
export const checkFields = ({ name, owner, attributes, blindIndexes, children }: Declaration): void => {
  const collides = (field: string, other: string) => new Error(`${name}: ${field} is the name of ${other}`)
  const indexes = Object.keys(blindIndexes)
  for (const field of [...Object.keys(attributes), ...indexes])
    if (isReserved(field)) throw collides(field, 'a field of the engine')
  for (const field of indexes) if (field in attributes) throw collides(field, 'an attribute and of a blind index')
  if (owner !== undefined && (owner in attributes || indexes.includes(owner)))
    throw collides(owner, 'the field with the id of the parent')
  for (const { model, key } of Object.values(children))
    if (key in model.attributes) throw collides(key, `the id of ${model.name} in events`)
}

/**
 * Checks that fields which a model derives are neither the engine's nor another part of its documents.
 *
 * @throws {Error} naming the field
 */
export const checkDerived = (
  { name, owner, attributes, blindIndexes }: Declaration,
  derived: Readonly<Record<string, unknown>>,
): void => {
  for (const field of Object.keys(derived))
    if (isReserved(field) || field === owner || field in attributes || field in blindIndexes)
      throw new Error(`${name}: ${field} is derived, and is the name of another field`)
}
