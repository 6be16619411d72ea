import { Type } from 'typebox'
import { type Field, type FieldTable, requested } from '../../kernel/model/field.ts'
import { longText } from '../../kernel/model/fields.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { textOf } from '../../kernel/values/text-of.ts'
import { asSent } from './as-sent.ts'

/** Code that is injected into pages: an attribute that clients set or add to, shown when they ask for it. */
export const code: Field<string | null> = requested(
  longText({ nullable: true, about: 'null clears', shown: 'expanded' }),
)

const modeOf = (name: string) => `${name}_mode`
const mode = asSent(Type.Enum(['append', 'replace']), 'Default append: adds to what is there')

/** How attributes of code are to be set, as it is sent beside them: an operation's `input`. */
export const codeModes = (...names: readonly string[]): FieldTable =>
  Object.fromEntries(names.map((name) => [modeOf(name), mode]))

type Code<N extends string> = { readonly [name in N]?: string | null }

const codeAfter = (held: string | null, sent: string | null, mode: 'append' | 'replace'): string | null => {
  if (sent === null || sent === '') return mode === 'replace' || sent === null ? null : held
  return mode === 'replace' || held === null ? sent : `${held}\n${sent}`
}

/** A rule that adds the code that is wanted to what is there, or puts it in its place. */
export const mergeCode =
  <const N extends string>(...names: readonly N[]) =>
  ({ before, wanted }: { readonly before: Code<N> | undefined; readonly wanted: Code<N> }): Code<N> | Refusal => {
    const after: { [name in N]?: string | null } = {}
    const modes: JsonObject = wanted
    for (const name of names) {
      const mode = modes[modeOf(name)] ?? 'append'
      if (mode !== 'append' && mode !== 'replace') {
        const says = `Invalid code mode '${textOf(mode)}'. Must be 'append' or 'replace'.`
        return refuse.malformed(says, modeOf(name), 'inclusion')
      }
      const sent = wanted[name]
      if (sent !== undefined) after[name] = codeAfter(before?.[name] ?? null, sent, mode)
    }
    return after
  }
