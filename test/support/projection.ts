import { expect } from 'chai'
import { upcasterOf } from '../../domain/kernel/decide/upcast.ts'
import { sealEvent } from '../../domain/kernel/model/personal.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { DomainEvent, JsonObject, Metadata, RecordedEvent } from '../../domain/kernel/values/event.ts'
import { publicIds } from '../../domain/kernel/values/public-ids.ts'
import { aggregatesOf, type Resource } from '../../domain/resources/resource.ts'
import { createProjection } from '../../projections/projection.ts'
import { MemoryReadModels } from './memory/read-models.ts'

/** A vault whose sealed texts are readable. */
export class OpenVault implements Vault {
  readonly #destroyed = new Set<number>()

  seal(subject: number, personal: JsonObject): string {
    return `sealed for ${subject}: ${JSON.stringify(personal)}`
  }

  open(subject: number, sealed: string): JsonObject | null {
    if (this.#destroyed.has(subject)) return null
    return JSON.parse(sealed.slice(`sealed for ${subject}: `.length)) as JsonObject
  }

  async destroy(subject: number): Promise<void> {
    this.#destroyed.add(subject)
  }

  token(purpose: string, value: string): string {
    return `${purpose}|${value.trim().toLowerCase()}`
  }
}

export const ids = publicIds((kind) => Uint8Array.from({ length: 32 }, (_, index) => index + kind.length))

const minute = (number: number): string => new Date(Date.UTC(2026, 2, 1, 9, number)).toISOString()

/** Time of the event with this number, counted from 0. */
export const at = minute

interface Given {
  /** Projects the events in batches of this size; each batch a second time if `twice`. */
  inBatchesOf(size: number, options?: { readonly twice?: boolean }): Promise<Given>
  /** The documents of a collection after the projection. */
  documents(resource: Resource): readonly Document[]
  /** Documents written or removed since the beginning. */
  readonly writes: number
}

/** Projects one stream: given(resources, stream, ...events). */
export const given = async (
  resources: readonly Resource[],
  stream: string,
  ...events: readonly DomainEvent[]
): Promise<Given> => {
  const vault = new OpenVault()
  const models = new MemoryReadModels()
  const upcast = upcasterOf(aggregatesOf(resources))
  const project = createProjection({ resources, vault, upcast, publicIds: ids })
  const subject = Number(stream.slice(stream.lastIndexOf('-') + 1))
  const metadata: Omit<Metadata, 'at'> = {
    actor: 'key:1',
    $correlationId: 'c',
    $causationId: 'c',
    team_id: 3,
    workspace_id: 7,
  }
  const recorded = await Promise.all(
    events.map(
      async (event, number): Promise<RecordedEvent> => ({
        ...(await sealEvent(vault, subject, event)),
        id: `event-${number}`,
        stream,
        revision: number,
        position: number,
        metadata: { ...metadata, at: minute(number) },
      }),
    ),
  )
  const result: Given = {
    async inBatchesOf(size, { twice = false } = {}) {
      for (let from = 0; from < recorded.length; from += size)
        for (let times = 0; times < (twice ? 2 : 1); times++) await project(recorded.slice(from, from + size), models)
      expect(models.checkpoint()).to.equal(recorded.length - 1)
      return result
    },
    documents: ({ name }) => models.find(name),
    get writes() {
      return models.writes
    },
  }
  return result
}
