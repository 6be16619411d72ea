import type { Logger } from 'pino'
import type { Decider } from '../domain/kernel/decide/decider.ts'
import type { Engine } from '../domain/kernel/engine/engine.ts'
import type { AuthoredTexts } from '../domain/kernel/ports/authored-texts.ts'
import type { EventLog } from '../domain/kernel/ports/event-log.ts'
import type { ExternalServices } from '../domain/kernel/ports/external-services.ts'
import type { InvitationLinks } from '../domain/kernel/ports/invitation-links.ts'
import type { Outbound } from '../domain/kernel/ports/outbound.ts'
import type { ReactorStore } from '../domain/kernel/ports/reactor-store.ts'
import type { ReadModels } from '../domain/kernel/ports/read-models.ts'
import type { SealingSecrets } from '../domain/kernel/ports/secrets.ts'
import type { ShortTermStore } from '../domain/kernel/ports/short-term-store.ts'
import type { UserLinks } from '../domain/kernel/ports/user-links.ts'
import type { UserMail } from '../domain/kernel/ports/user-mail.ts'
import type { Vault } from '../domain/kernel/ports/vault.ts'
import type { Ids } from '../domain/kernel/values/ids.ts'
import type { MaybePromise } from '../domain/kernel/values/maybe-promise.ts'
import type { PublicIds } from '../domain/kernel/values/public-ids.ts'
import type { Resource } from '../domain/resources/resource.ts'
import type { FileOf } from '../domain/resources/view-types.ts'
import type { History } from '../projections/history.ts'
import type { ResponseCache } from '../projections/response-cache.ts'
import type { Walks } from '../projections/walks.ts'

/** Tells when the read models have reached a write, so that clients read their own writes. */
export interface Progress {
  /** Position up to which everything can be read, as far as this process knows. */
  readonly position: number
  reached(position: number, timeoutMs: number): Promise<boolean>
}

/** Dependencies of the API: ports and pure components, assembled by the composition root. */
export interface Service {
  readonly resources: ReadonlyMap<string, Resource>
  /** By name, because the log holds follow-ups with the names of their aggregates. */
  readonly aggregates: ReadonlyMap<string, Decider>
  readonly engine: Engine
  readonly log: EventLog
  /**
   * Documents of the whole installation. What is read from here has to be held against whom it is read for; `boundTo` and `beside` do so by themselves, and
   * `test/contract/one-road.spec.ts` lists who reads without them.
   */
  readonly everywhere: ReadModels
  readonly vault: Vault
  readonly history: History
  readonly responseCache: ResponseCache
  readonly walks: Walks
  /** Clears this process's caches of opened data, for example when a person has been erased. */
  readonly forget: () => void
  readonly progress: Progress
  readonly publicIds: PublicIds
  readonly ids: Ids
  /** Milliseconds since 1970, by the clock of a workspace; without one, of the machine. */
  readonly now: (workspaceId?: number) => number
  /** Whether the clock of a workspace is being advanced. Clients cannot write to the workspace meanwhile. */
  readonly advances: (workspaceId: number, isTested?: boolean) => MaybePromise<boolean>
  readonly logger: Logger
  readonly external: ExternalServices
  /** Works with texts in Liquid beside the event loop. */
  readonly texts: AuthoredTexts
  /** Dead letters and refused commands. */
  readonly reactorStore: Pick<ReactorStore, 'deadLetters' | 'refusals'>
  readonly secrets: SealingSecrets
  readonly shortTerm: ShortTermStore
  /** Address of the pages on which people sign in, and of the issuer of tokens, without a slash at its end. */
  readonly accountsUrl: string
  /** Links by which invitations to teams are accepted. */
  readonly invitationLinks: InvitationLinks
  /** Links by which users get in. */
  readonly userLinks: UserLinks
  /** Mail to users; `undefined`: this installation sends none. */
  readonly userMail: UserMail | undefined
  /** Port of the public listener as it is configured; 0: any free one. */
  readonly listenerPort: number
  /** Returns a link to a file that works for a limited time and without a token. */
  readonly download: (file: FileOf) => string
  /** Returns the address of a public path. */
  readonly publicUrl: (path: string) => string
  readonly linksWarning: () => string | undefined
  readonly outbound: Pick<Outbound, 'objection' | 'get'>
  /** Address of the agent server, with its path. */
  readonly agentsUrl: string
}
