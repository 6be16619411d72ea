import { Type } from 'typebox'
import { type Field, field, problem } from '../../kernel/model/field.ts'
import { isBlankText } from '../../kernel/values/comparable.ts'

/** Declares one of a list of words that clients send as its number in the list, or as the word itself. Absent and `null`: the first. */
export const numbered = <const W extends string>(words: readonly W[], about: string): Field<W> =>
  field<W>(
    Type.Enum([...words]),
    { nullable: true, initial: words[0] ?? null, about },
    (sent) => {
      if (typeof sent === 'string' && isBlankText(sent)) return { value: null }
      const word = words.find((one, n) => sent === one || sent === n || sent === String(n))
      return word === undefined
        ? problem(`is not included in the list (${words.map((one, n) => `${n}: ${one}`).join(', ')})`, 'inclusion')
        : { value: word }
    },
    { sends: Type.Union([Type.Integer({ minimum: 0, maximum: words.length - 1 }), Type.Enum([...words])]) },
  )
