import { Type } from 'typebox'
import { type Field, field, type Options, problem } from '../../kernel/model/field.ts'
import { list } from '../../kernel/model/fields.ts'
import { beginningOf } from '../../kernel/values/characters.ts'
import { EITHER_FORM } from '../../kernel/values/public-ids.ts'

/** A record that a client names by its id, with the text that was sent. Rules find out whether it exists, and say which was not found. */
export type NamedRecord = { readonly id: number; readonly sent: string }

/** Most characters of what was sent that a message repeats. */
const SHOWN = 100

const SENT = Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: EITHER_FORM })])

/** Declares a record that clients name by its id or public id. A text that is no id names the record 0, which does not exist. */
export const namedRecord = (resource: string, options: Options = {}): Field<NamedRecord | null> =>
  field(
    Type.Integer(),
    options,
    (value, { ids }) => {
      if (typeof value !== 'string' && typeof value !== 'number') return problem('must be an id', 'type')
      if (value === '' && options.nullable) return { value: null }
      return { value: { id: ids.of(resource).parse(value) ?? 0, sent: beginningOf(String(value), SHOWN) } }
    },
    { sends: SENT },
  )

/** Declares a list of records that clients name by their ids. */
export const namedRecords = (resource: string, options: Options = {}) => list(namedRecord(resource), options)
