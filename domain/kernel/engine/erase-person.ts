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

/**
 * Destroys the keys of a person. The keys of all addresses that the person ever had go first, because only the person's own key opens the events that
 * name them. So a repeat after a crash destroys what is left. Repeating it is harmless.
 *
 * @param stream stream that is named after the person
 */
export const erasePerson = async ({ log, vault }: ErasureDeps, model: Model, stream: string): Promise<void> => {
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
