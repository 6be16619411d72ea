import { Type } from 'typebox'
import { type FieldOf, field, type Options, problem } from '../../kernel/model/field.ts'
import { cleanAddress, isAddress, MOST_CHARACTERS } from '../../kernel/values/mailbox.ts'

/** Pattern by which the OpenAPI document describes an address. `isAddress` knows more. */
const SHAPE = '[^\\s@,:;]+@[^\\s@,:;]+\\.[^\\s@,:;.]+'

/** Highest number of characters of a text in which an address is looked for. */
const MOST_SENT = 1000
const TOO_LONG = `is too long (maximum is ${MOST_CHARACTERS} characters)`

/** Declares an e-mail address, stored as sent but without invisible characters. A blank text becomes `null`. */
export const emailAddress = <const O extends Options = Options>(given?: O): FieldOf<string, O> => {
  const options: Options = given ?? {}
  const sends = Type.String({ maxLength: MOST_SENT, pattern: options.required ? SHAPE : `^\\s*$|${SHAPE}` })
  return field(
    Type.String({ maxLength: 255 }),
    given,
    (value) => {
      if (typeof value !== 'string') return problem('must be a string', 'type')
      if (value.length > MOST_SENT) return problem(TOO_LONG, 'too_long')
      const address = cleanAddress(value)
      if (address === '') return { value: null }
      if (address.length > MOST_CHARACTERS) return problem(TOO_LONG, 'too_long')
      return isAddress(address) ? { value: address } : problem('is invalid', 'invalid')
    },
    { sends },
  )
}
