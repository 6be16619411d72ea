import { erasures, jobs, orphanedBlobs, policies, processes, resources, tallies } from '../../domain/index.ts'
import type { HasEventType } from '../../domain/kernel/values/event.ts'
import { aggregatesOf } from '../../domain/resources/resource.ts'
import { fingerprintsOf } from '../../projections/fingerprints.ts'
import { type ReactionDeps, reactionsOf } from '../../workers/reactions.ts'
import { expectGolden } from '../support/golden.ts'

const typesOf = (on: readonly (HasEventType | string)[] | 'all'): string =>
  on === 'all'
    ? on
    : on
        .map((one) => (typeof one === 'string' ? one : one.type))
        .sort()
        .join(' ')

const documents = (): readonly string[] =>
  [...fingerprintsOf(resources, tallies)].map(([name, { documents, indexes, attributes }]) =>
    [`documents ${name} ${documents}`, ...indexes, attributes.join()].join('; '),
  )

const timers = (): readonly string[] =>
  aggregatesOf(resources).flatMap((aggregate) => {
    const { model } = aggregate
    return [model, ...Object.values(model.children).map((child) => child.model)].flatMap(({ name: of, timers }) =>
      timers.map(({ name, version = 1 }) => `timer ${of} ${name} v${version} asks ${aggregate.fires(of, name)}`),
    )
  })

const stepsOfProcesses = (): readonly string[] =>
  processes.flatMap(({ calls, commands }) => [
    ...calls.map(({ name, port, on }) => `call ${name} at ${port.name} on ${typesOf(on)}`),
    ...commands.map(({ name, on }) => `command ${name} on ${typesOf(on)}`),
  ])

/** The names of all reactions. Nothing is executed, so their dependencies are never used. */
const reactions = (): readonly string[] => {
  const named = { policies, jobs, processes, orphanedBlobs, erasures, aggregates: new Map(), mail: {} }
  const adapters = { get: () => ({ call: () => undefined, find: () => undefined }) }
  const parts = { ...named, adapters, resources: new Map(resources.map((resource) => [resource.name, resource])) }
  return reactionsOf(parts as unknown as ReactionDeps).map(({ name, on }) => `reaction ${name} on ${typesOf(on)}`)
}

describe('names that are stored in logs, reactor stores and documents', () => {
  it('never change: fingerprints, and the names of policies, jobs, steps, timers and reactions', () => {
    expectGolden(
      'stored-words.txt',
      [
        ...documents(),
        ...policies.map(({ name, on }) => `policy ${name} on ${typesOf(on)}`),
        ...jobs.map(({ resource }) => `job ${resource.name}`),
        ...stepsOfProcesses(),
        ...orphanedBlobs.map(({ on }) => `blobs on ${on.type}`),
        ...erasures.map(({ type }) => `erasure on ${type}`),
        ...timers(),
        ...reactions(),
      ].sort(),
    )
  })
})
