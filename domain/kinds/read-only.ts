import type { Resource } from '../kernel/resource.ts'

/** A resource without records of its own: what it shows follows from elsewhere, by reads and calls. */
export const readOnly = (
  spec: Pick<Resource, 'name' | 'tag' | 'root' | 'category' | 'under' | 'view' | 'operations'> & Partial<Resource>,
): Resource => ({
  aggregate: { name: spec.name, initial: undefined, events: {}, decide: () => [], evolve: () => undefined },
  documents: { version: 1, touches: () => [], evolve: () => undefined },
  ...spec,
})
