import { shownName } from '../oauth/registration/agent-client.ts'
import { registeredClient } from '../oauth/registration/clients.ts'
import type { Agent } from './agent.ts'
import { quoted } from './calls/record-words.ts'

/** Returns how a person knows the program that calls: by the name that it gave itself when it was let in, or by the address that describes it. */
export const programOf = async ({ service, access: { clientId } }: Agent): Promise<string> => {
  const client = await registeredClient(service, clientId)
  return quoted(shownName(client?.client_name) || clientId)
}
