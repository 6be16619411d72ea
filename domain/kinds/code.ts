import { Type } from 'typebox'
import type { JsonObject } from '../kernel/event.ts'
import type { FieldTable } from '../kernel/field.ts'
import { longText } from '../kernel/fields.ts'
import { type Refusal, refuse } from '../kernel/refusal.ts'
import { structure } from './structure.ts'

/** Code that is injected into pages: the field itself and how it is to be set. */
export const codeFields = (...names: readonly string[]): FieldTable =>
  Object.fromEntries(
    names.flatMap((name) => [
      [name, longText({ nullable: true, about: 'null clears' })],
      [`${name}_mode`, structure(Type.Enum(['append', 'replace']), 'Default append: adds to what is there')],
    ]),
  )

const codeAfter = (held: string | null, sent: string | null, mode: unknown): string | null => {
  if (sent === null || sent === '') return mode === 'replace' || sent === null ? null : held
  return mode === 'replace' || held === null ? sent : `${held}\n${sent}`
}

/** The code fields that `sent` changes, with what they then hold; or why the request is malformed. */
export const codeChanges = (held: JsonObject, sent: JsonObject): Record<string, string | null> | Refusal => {
  const changes: Record<string, string | null> = {}
  for (const [name, before] of Object.entries(held)) {
    const mode = sent[`${name}_mode`] ?? 'append'
    if (mode !== 'append' && mode !== 'replace') {
      return refuse.malformed(
        `Invalid code mode '${String(mode)}'. Must be 'append' or 'replace'.`,
        `${name}_mode`,
        'inclusion',
      )
    }
    const value = sent[name]
    if (typeof value !== 'string' && value !== null) continue
    const after = codeAfter(typeof before === 'string' ? before : null, value, mode)
    if (after !== before) changes[name] = after
  }
  return changes
}
