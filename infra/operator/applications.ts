import { randomBytes, randomUUID } from 'node:crypto'
import { CLIENT_ID_LENGTH } from '../../domain/account/platform/application/index.ts'
import { type ApplicationRecord, platformApplication } from '../../domain/account/platform/application/model.ts'
import { platformApplications } from '../../domain/account/platform/application/rules.ts'
import { clientSecretOf } from '../../domain/account/platform/application/secret.ts'
import { connection } from '../../domain/account/platform/connection/model.ts'
import { type Ask, ask } from '../../domain/kernel/decide/ask.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import { parseFields } from '../../domain/kernel/model/parse.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { type Ids, withIds } from '../../domain/kernel/values/ids.ts'
import type { PublicIds } from '../../domain/kernel/values/public-ids.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { sentFields } from '../../domain/resources/writes.ts'
import { carryOut, type OperatorEngine } from './carry-out.ts'

interface ApplicationDeps extends OperatorEngine {
  readonly live: ReadModels
  readonly ids: Ids
  readonly publicIds: PublicIds
  readonly secrets: Secrets
  readonly now: () => number
}

/** A platform application as the operator sees it. */
export interface ShownApplication {
  readonly id: number
  readonly name: string
  readonly client_id: string
  readonly confidential: boolean
  readonly shared: boolean
  readonly redirect_uris: readonly string[]
  readonly connections: number
  readonly created_at: string
}

/** A platform application with its secret, which is shown once; `null`: it is public. */
export interface NewApplication extends ShownApplication {
  readonly client_secret: string | null
}

const open = recordOf(platformApplication)
const clientId = (): string => randomBytes(CLIENT_ID_LENGTH / 2).toString('hex')

/** Returns the operator's actions on platform applications. */
export const operatorApplications = (deps: ApplicationDeps) => {
  const { live, ids, publicIds, secrets } = deps

  const found = async (id: number): Promise<ApplicationRecord> => {
    const document = await live.get(platformApplication.name, id)
    if (!document) throw refuse.notFound('No such platform application')
    return open(document)
  }

  const shown = async (one: ApplicationRecord): Promise<ShownApplication> => ({
    id: one.id,
    name: one.name,
    client_id: one.client_id ?? '',
    confidential: one.confidential,
    shared: one.shared,
    redirect_uris: one.redirect_uris,
    connections: await live.count(connection.name, { platform_application_id: one.id }),
    created_at: one.created_at,
  })

  const withSecret = async (id: number): Promise<NewApplication> => {
    const application = await found(id)
    return { ...(await shown(application)), client_secret: clientSecretOf(secrets, application) }
  }

  const order = (asked: Ask, teamId: number | undefined): Promise<void> =>
    carryOut(deps, asked, teamId === undefined ? {} : { teamId }, deps.now())

  return {
    /** Creates an application of a team. @throws {Refusal} invalid, with every field that is wrong */
    async create(teamId: number, sent: Readonly<Record<string, unknown>>): Promise<NewApplication> {
      const { values, details } = parseFields(sentFields(platformApplication), sent, 'create', { ids: publicIds })
      if (details.length > 0) throw refuse.invalidFields(details)
      const id = await withIds(ids, () => ids.next(platformApplication.name))
      const wanted: JsonObject = { ...values, clientId: clientId(), nonce: randomUUID() }
      await order(ask(platformApplications, id, 'create', wanted), teamId)
      return withSecret(id)
    },

    /** Lists the applications of a team. */
    async list(teamId: number): Promise<readonly ShownApplication[]> {
      const documents = await live.find(platformApplication.name, { where: { team_id: teamId } })
      return Promise.all(documents.map((document) => shown(open(document))))
    },

    /** Makes a new secret. @throws {Refusal} not found; invalid, for a public application */
    async rotate(id: number): Promise<NewApplication> {
      const { team_id } = await found(id)
      await order(ask(platformApplications, id, 'rotate', { nonce: randomUUID() }), team_id)
      return withSecret(id)
    },

    /** Removes an application; its tokens are refused from now on. @throws {Refusal} not found */
    async remove(id: number): Promise<void> {
      const { team_id } = await found(id)
      await order(ask(platformApplications, id, 'remove', {}), team_id)
    },
  }
}

export type OperatorApplications = ReturnType<typeof operatorApplications>
