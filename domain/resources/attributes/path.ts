import type { Field, Options } from '../../kernel/model/field.ts'
import { text } from '../../kernel/model/fields.ts'
import { nullableString } from '../schemas.ts'

/** Characters that a segment of a path cannot have: white space, those that end or divide a path, and those that nobody sees. */
const EXCLUDED = '\\s\\\\/?#\\u0000-\\u001F\\u007F-\\u009F\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uFEFF'
const SEGMENT = `[^${EXCLUDED}]+`
/** Browsers resolve segments of dots before they ask for a path, so nothing could be reached under it. */
const NO_DOT_SEGMENTS = '(?!\\S*\\.\\.)(?!(?:\\S*/)?\\.(?:/|\\s*$))'
/** An escape has two digits, and does not stand for a character that divides a path, for a dot, or for a control character. */
const NO_ODD_ESCAPES = '(?!\\S*%(?![0-9A-Fa-f]{2}))(?!\\S*%(?:[01][0-9A-Fa-f]|2[EeFf]|5[Cc]|7[Ff]))'
const PATH = new RegExp(`^\\s*(?:${NO_DOT_SEGMENTS}${NO_ODD_ESCAPES}(?=\\S)/?(?:${SEGMENT}(?:/${SEGMENT})*/?)?\\s*)?$`)

/** Most characters of a path that is sent: a leading slash and an ending that makes it unique stay within 255. */
const MOST_CHARACTERS = 240

/** Declares the path under which a record is reached, with or without its leading slash. Blank text is no path. */
export const pathText = <const O extends Pick<Options, 'about'>>({ about }: O): Field<string | null> => ({
  ...text({
    nullable: true,
    trim: true,
    max: MOST_CHARACTERS,
    form: { test: PATH, says: 'must be a path, without spaces, ?, #, \\, .. and empty segments' },
    about,
  }),
  schema: { ...nullableString, description: about },
})
