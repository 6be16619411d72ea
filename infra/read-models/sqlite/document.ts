import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { Table } from './table.ts'

/** Document whose stored text is not what was written: it cannot be parsed. */
export class DamagedDocument extends Error {}

/** Parses the text of a document. @throws {DamagedDocument} when it is not JSON */
export const parse = (table: Table, text: string): Document => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new DamagedDocument(`a document of ${table.name} is no JSON`, { cause: error })
  }
}
