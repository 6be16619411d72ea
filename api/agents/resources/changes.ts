import { isJsonObject, type Json, type JsonObject } from '../../../domain/kernel/values/event.ts'
import { publicIdResourceOf, type Resource } from '../../../domain/resources/resource.ts'
import { createPastLoader } from '../../../projections/loading/past-loader.ts'
import type { Agent } from '../agent.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** Fields that every change changes. */
const ALWAYS: ReadonlySet<string> = new Set(['updated_at'])

/** Returns the fields that differ, with their values before and after. */
const differences = (before: JsonObject, after: JsonObject): JsonObject => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !ALWAYS.has(name))
  const valueIn = (object: JsonObject, name: string): Json => object[name] ?? null
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(valueIn(before, name)) !== JSON.stringify(valueIn(after, name)))
      .map((name) => [name, { before: valueIn(before, name), after: valueIn(after, name) }]),
  )
}

/** Returns what changed in a record as its own endpoint shows it, the newest change first. The record is within reach of the agent. */
export const changesOf = async (
  { service, access }: Agent,
  resource: Resource,
  textOfId: string,
  most: number,
): Promise<readonly JsonObject[]> => {
  const id = service.publicIds.of(publicIdResourceOf(resource)).parse(textOfId)
  if (id === undefined) return []
  let before: JsonObject = {}
  const changes: JsonObject[] = []
  for (const { event, document } of await service.history.changes(resource, id, most + 1)) {
    const upTo = { stream: event.stream, revision: event.revision }
    const load = createPastLoader(service, { at: event.metadata.at, upTo }, access.caller.seesPersonalData)
    const shown = document && (await resource.view.present(document, load, NOTHING))
    const after = isJsonObject(shown) ? shown : {}
    changes.unshift({
      at: event.metadata.at,
      event: event.type,
      by: event.metadata.actor ?? null,
      changed: differences(before, after),
    })
    before = after
  }
  return changes.slice(0, most)
}
