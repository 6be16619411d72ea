import type { Field } from '../../kernel/model/field.ts'
import { text } from '../../kernel/model/fields.ts'

const MOST_CHARACTERS = 2000
const ADDRESS = /^\s*https?:\/\/[^\s/?#\\@]+(?:[/?#]\S*)?\s*$/i
const FORM = { test: ADDRESS, says: 'must be an http or https address' }

/** Declares an address that readers are led to. It begins with http or https, so that it never runs anything. */
export const webAddress = (about: string): Field<string | null> =>
  text({ nullable: true, trim: true, max: MOST_CHARACTERS, form: FORM, about })

/** Declares an address that must be there. */
export const requiredWebAddress = (about: string) =>
  text({ required: true, trim: true, max: MOST_CHARACTERS, form: FORM, about })
