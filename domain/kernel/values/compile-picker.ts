import type { Json, JsonObject } from './event.ts'

/** Place of a value in a document, and its substitute when it is missing. */
export interface Picked {
  readonly name: string
  /** Field of the document with the object that holds the value. Default: the document itself. */
  readonly within?: string
  /** Value to use when there is none. Default: `null`. */
  readonly missing?: Json
  /** The picker only reserves the key, with `null`. The caller assigns the value later. */
  readonly later?: true
}

/**
 * Compiles a function that picks named values from a document, in that order. A loop over the names would take ten times as
 * long as a compiled object literal. The names come from declarations, never from a request.
 */
export const compilePicker = (
  picked: readonly Picked[],
): ((document: JsonObject) => Record<string, Json | undefined>) => {
  const missing = picked.map((one) => one.missing ?? null)
  const key = (name: string) => `[${JSON.stringify(name)}]`
  const entries = picked.map(({ name, within, later }, index) => {
    if (later) return `${key(name)}: null`
    const source = within === undefined ? `d${key(name)}` : `d${key(within)}?.${key(name)}`
    return `${key(name)}: ${source} ?? ${missing[index] === null ? 'null' : `m[${index}]`}`
  })
  const compiled = new Function('m', 'd', `return {${entries.join(', ')}}`)
  return (document) => compiled(missing, document)
}
