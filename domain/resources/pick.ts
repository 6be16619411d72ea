import { compilePicker } from '../kernel/values/compile-picker.ts'
import type { JsonObject } from '../kernel/values/event.ts'

/** Builds a function that picks the named keys of a document, in that order; a missing one becomes null. */
export const picker = (names: readonly string[]): ((document: JsonObject) => JsonObject) =>
  compilePicker(names.map((name) => ({ name })))
