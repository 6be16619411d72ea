import type { Upcast } from './decider.ts'

/** The `events` of an aggregate whose types are all still at version 1. */
export const firstVersions = <Type extends string>(...types: readonly Type[]) =>
  Object.fromEntries(types.map((type) => [type, []])) as unknown as { readonly [type in Type]: readonly Upcast[] }
