import type { Model } from '../model/model.ts'
import { keyOfAddress, openEvent, PERSONAL, personOf } from '../model/personal.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { Vault } from '../ports/vault.ts'
import { isJsonObject } from '../values/event.ts'
import { parseStream } from '../values/stream-name.ts'

/** Dependencies of erasing a person. */
export interface ErasureDeps {
  readonly log: Pick<EventLog, 'readStream'>
  readonly vault: Vault
}

/** Returns the personal attributes by which a person is known: those that are unique, such as the e-mail address. */
const knownBy = ({ unique, attributes }: Model): readonly string[] =>
  unique.flatMap((one) => one.attributes.filter((name) => attributes[name]?.personal))

/** Returns the numbers of the keys under which the events of a record are sealed that has a key of its own. */
const ownKeys = async ({ log }: ErasureDeps, stream: string): Promise<ReadonlySet<number>> => {
  const keys = new Set<number>()
  for await (const event of log.readStream(stream)) if (event.data[PERSONAL] !== undefined) keys.add(personOf(event))
  return keys
}

/**
 * Destroys the keys of a person, or the own key of a record that is erased by itself. The keys of all addresses that the person ever had go first, because only the person's own key opens the events that
 * name them. So a repeat after a crash destroys what is left. Repeating it is harmless.
 *
 * @param stream stream that is named after the person, or the record
 */
export const erasePerson = async ({ log, vault }: ErasureDeps, model: Model, stream: string): Promise<void> => {
  if (model.person !== undefined) {
    for (const key of await ownKeys({ log, vault }, stream)) await vault.destroy(key)
    return
  }
  const person = parseStream(stream).id
  const names = knownBy(model)
  const addresses = new Set<number>()
  for await (const event of log.readStream(stream)) {
    if (event.data[PERSONAL] === undefined || personOf(event) !== person) continue
    const { [PERSONAL]: personal } = (await openEvent(vault, event)).data
    const workspaceId = event.metadata.workspace_id
    if (!isJsonObject(personal) || workspaceId === undefined) continue
    for (const name of names) {
      const value = personal[name]
      if (typeof value === 'string' && value !== '') addresses.add(keyOfAddress(vault, workspaceId, value))
    }
  }
  for (const address of addresses) await vault.destroy(address)
  await vault.destroy(person)
}
