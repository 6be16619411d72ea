import {
  type ConnectionRecord,
  connection,
  disconnecting,
  isDisconnected,
  platformApplication,
} from '../../domain/account/platform/public.ts'
import { credential, workspace } from '../../domain/account/public.ts'
import { readEverywhere } from '../../domain/kernel/decide/rules.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { carryOut } from './carry-out.ts'
import type { ViewerRequest } from './request.ts'
import type { AccountsService } from './service.ts'

/** Application that acts as a user in a workspace. */
export interface ConnectedApplication {
  readonly id: number
  readonly name: string
  readonly workspace: string
}

const connectionsOf = async ({ everywhere: live }: Pick<AccountsService, 'everywhere'>, userId: number) => {
  const [held, of] = await Promise.all([
    readEverywhere(live).find(connection, { where: { user_id: userId } }),
    live.get(credential.name, userId),
  ])
  return held.filter((one) => !isDisconnected(one, of))
}

/** Returns the applications that a user has connected, each once for each workspace. */
export const connectedApplications = async (
  service: Pick<AccountsService, 'everywhere'>,
  userId: number,
): Promise<readonly ConnectedApplication[]> => {
  const read = readEverywhere(service.everywhere)
  const own = await connectionsOf(service, userId)
  return Promise.all(
    own.map(async ({ id, platform_application_id, workspace_id }) => ({
      id,
      name: (await read.one(platformApplication, platform_application_id))?.name ?? '',
      workspace: (await read.one(workspace, workspace_id))?.name ?? '',
    })),
  )
}

/** Disconnects an application that a user has connected. @throws {Refusal} */
export const disconnect = async (request: ViewerRequest, id: number): Promise<void> => {
  const own = await connectionsOf(request.service, request.viewer.userId)
  const ending = own.find((one): one is ConnectionRecord => one.id === id)
  const result = ending && (await carryOut(request, disconnecting(ending)))
  // Somebody else has disconnected it meanwhile.
  if (result instanceof Refusal && result.kind !== 'notFound') throw result
}
