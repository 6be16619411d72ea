import type { Service } from '../service.ts'
import type { Cached } from './page-cache.ts'
import type { LocatedPage } from './page-of.ts'

/** Answer to the beginning of a page, as it is sent. */
export interface BeginningAnswer {
  readonly text: string
}

/** Dependencies of what pages call. */
export type SdkService = Omit<
  Service,
  | 'external'
  | 'reactorStore'
  | 'walks'
  | 'advances'
  | 'outbound'
  | 'accountsUrl'
  | 'agentsUrl'
  | 'shortTerm'
  | 'userMail'
> & {
  /** Scheme, host and port of the SDK's listener as browsers reach it. */
  readonly sdkUrl: () => string
  /** Pages by their tokens. */
  readonly pages: Cached<LocatedPage>
  /** Answers to the beginnings of pages, by what was asked. */
  readonly beginnings: Cached<BeginningAnswer>
}
