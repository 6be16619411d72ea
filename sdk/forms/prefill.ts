import type { Natives } from './natives.ts'
import { allMarked, nameOf } from './registry.ts'

/** What is known of earlier pages. */
export type Typed = Readonly<Record<string, string | undefined>>

/** Identity fields, which are all that is ever filled in. */
const IDENTITY = /^(email|first-name|last-name|name|phone)$/

/** What to fill into a field; a single `name` takes both names, but is never split. */
const valueFor = (field: string, typed: Typed): string | undefined =>
  typed[field.replace('-', '_')] ??
  (field === 'name' ? [typed.first_name, typed.last_name].filter(Boolean).join(' ') : undefined)

/** Fills what was typed on earlier pages into inputs that are empty, that can be written in and that the visitor has not used, each once. */
export const fill = (
  document: Document,
  typed: Typed,
  touched: WeakSet<EventTarget>,
  write: Natives['write'],
): void => {
  for (const element of allMarked(document)) {
    const input = element as HTMLInputElement
    const field = nameOf(input)
    const value = IDENTITY.test(field) && input.localName === 'input' && valueFor(field, typed)
    if (!value || input.value || input.readOnly || touched.has(input) || input === document.activeElement) continue
    touched.add(input)
    write(input, value)
  }
}
