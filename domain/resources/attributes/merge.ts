import type { FieldTable } from '../../kernel/model/field.ts'

/**
 * Adds to the attributes of a declaration those that all records of its kind have.
 *
 * @throws {Error} naming the attribute that both have
 */
export const mergeAttributes = <A extends FieldTable, B extends FieldTable>(name: string, own: A, added: B): A & B => {
  const both = Object.keys(own).find((attribute) => attribute in added)
  if (both !== undefined) throw new Error(`${name}: ${both} is the name of an attribute that it has already`)
  return { ...own, ...added }
}
