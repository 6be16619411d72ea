import { text } from '../kernel/model/fields.ts'

/** Longest address that a file is fetched from. Signed addresses of object stores have more than a thousand characters. */
const MAX_LENGTH = 2000

/** Declares the address that the file of a new record is fetched from. */
export const requiredSourceUrl = (about: string) => text({ required: true, max: MAX_LENGTH, about })

/** Declares the address that another file of a record is fetched from. */
export const sourceUrl = (about: string) => text({ max: MAX_LENGTH, about })
