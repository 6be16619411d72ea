import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { Table } from './table.ts'

/** A document that cannot be what was written. */
export class DamagedDocument extends Error {}

/** A document from its text. @throws {DamagedDocument} */
export const parse = (table: Table, text: string): Document => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new DamagedDocument(`a document of ${table.name} is no JSON`, { cause: error })
  }
}
