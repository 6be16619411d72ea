import type { Logger } from 'pino'
import type { Outbound } from '../../domain/kernel/ports/outbound.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { ShortTermStore } from '../../domain/kernel/ports/short-term-store.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import type { Resources } from './resources.ts'

/** Dependencies of the authorization server. */
export interface OAuthDeps {
  readonly shortTerm: ShortTermStore
  readonly everywhere: ReadModels
  readonly outbound: Pick<Outbound, 'get'>
  readonly logger: Logger
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Returns the number of a person's credentials now; `undefined` for somebody who cannot sign in. */
  readonly generationOf: (userId: number) => MaybePromise<number | undefined>
  readonly resources: Resources
}
