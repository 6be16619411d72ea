import type { Json, JsonObject } from './event.ts'

/** Where a picker finds a value, and what stands for one that is missing. */
export interface Picked {
  readonly name: string
  /** The object in the document that holds it; default: the document itself. */
  readonly within?: string
  readonly missing?: Json
  /** Only has its place: somebody else puts the value there. */
  readonly later?: true
}

/**
 * A function that takes named values out of a document, in that order. It is compiled, since a loop over names costs ten times
 * what a written-out object does; the names are those of declarations, never of a request.
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
