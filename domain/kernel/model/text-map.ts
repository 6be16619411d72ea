import { Type } from 'typebox'
import { isBlankText } from '../values/comparable.ts'
import { type FieldOf, field, type Options, problem } from './field.ts'
import { isObject, MOST_ITEMS } from './parse.ts'

/** Values that `textMap` accepts and stores as text. */
const TEXTUAL = Type.Union([Type.String({ maxLength: 65_535 }), Type.Number(), Type.Boolean(), Type.Null()])

/** Free keys with text values. A value that is not an object becomes `{}`, as the contract demands for custom attributes. */
export const textMap = <const O extends Options = Options>(options?: O): FieldOf<Readonly<Record<string, string>>, O> =>
  field(
    Type.Record(Type.String(), Type.String()),
    options,
    (value) => {
      if (!isObject(value)) return { value: {} }
      const sent = Object.entries(value)
      if (sent.length > MOST_ITEMS) return problem(`has more than ${MOST_ITEMS} keys`, 'too_long')
      const entries: [string, string][] = []
      for (const [key, entry] of sent) {
        if (entry !== null && typeof entry === 'object') return problem(`has no text for '${key}'`, 'type')
        const written = entry === null ? '' : String(entry)
        if (key.length > 255 || written.length > 65_535) return problem('has an entry that is too long', 'too_long')
        if (written.includes('\u0000') || !written.isWellFormed() || !key.isWellFormed())
          return problem('must be well-formed Unicode', 'invalid')
        entries.push([key, isBlankText(written) ? '' : written])
      }
      return { value: Object.fromEntries(entries) }
    },
    { sends: Type.Record(Type.String(), TEXTUAL) },
  )
