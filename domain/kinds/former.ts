import type { Actor } from '../kernel/decider.ts'
import { differs } from '../kernel/derived-events.ts'
import type { JsonObject } from '../kernel/event.ts'
import type { WriteInput } from '../kernel/resource.ts'

/** The part of `values` that differs from what is held. */
export const changedOnly = (held: JsonObject, values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => differs(held[name], value)))

/** The fixed part of every command made from a request. */
export const basics = <I extends Pick<WriteInput, 'at' | 'actor'>>(
  input: I,
): { readonly at: string; readonly actor: Actor } => ({
  at: input.at,
  actor: input.actor,
})
