import { Type } from 'typebox'
import { type Field, type FieldTable, requested } from '../../kernel/model/field.ts'
import { LONGEST_TEXT, longText } from '../../kernel/model/fields.ts'
import { humanize } from '../../kernel/model/parse.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { textOf } from '../../kernel/values/text-of.ts'
import { asSent } from './as-sent.ts'

/** Attribute with code that is injected into pages. Clients set it or append to it, and see it only if `expand[]` names it. */
export const code: Field<string | null> = requested(
  longText({ nullable: true, about: 'null clears', shown: 'expanded' }),
)

const modeOf = (name: string) => `${name}_mode`
const mode = asSent(Type.Enum(['append', 'replace']), 'Default append: adds to what is there')

/** Returns the `input` fields of an operation that say whether attributes of code are appended to or replaced. */
export const codeModes = (...names: readonly string[]): FieldTable =>
  Object.fromEntries(names.map((name) => [modeOf(name), mode]))

type Code<N extends string> = { readonly [name in N]?: string | null }

const mergedCode = (current: string | null, sent: string | null, mode: 'append' | 'replace'): string | null => {
  if (sent === null || sent === '') return mode === 'replace' || sent === null ? null : current
  return mode === 'replace' || current === null ? sent : `${current}\n${sent}`
}

const tooLong = (name: string): Refusal =>
  refuse.invalid(`${humanize(name)} is too long (maximum is ${LONGEST_TEXT} characters)`, name, 'too_long')

/** Builds a rule that appends the code in a request to the stored code, or replaces the stored code with it. */
export const mergeCode =
  <const N extends string>(...names: readonly N[]) =>
  ({ before, wanted }: { readonly before: Code<N> | undefined; readonly wanted: Code<N> }): Code<N> | Refusal => {
    const after: { [name in N]?: string | null } = {}
    const modes: JsonObject = wanted
    for (const name of names) {
      const mode = modes[modeOf(name)] ?? 'append'
      if (mode !== 'append' && mode !== 'replace') {
        const message = `Invalid code mode '${textOf(mode)}'. Must be 'append' or 'replace'.`
        return refuse.malformed(message, modeOf(name), 'inclusion')
      }
      const sent = wanted[name]
      if (sent === undefined) continue
      const merged = mergedCode(before?.[name] ?? null, sent, mode)
      if (merged !== null && merged.length > LONGEST_TEXT) return tooLong(name)
      after[name] = merged
    }
    return after
  }
