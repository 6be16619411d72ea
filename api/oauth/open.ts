import type Provider from 'oidc-provider'
import type { SessionService } from '../accounts/service.ts'
import { credentialsOf } from '../accounts/signed-in.ts'
import type { Telling } from '../accounts/tell-owner.ts'
import type { Service } from '../service.ts'
import type { OAuthDeps } from './deps.ts'
import { answerPage, faultPage } from './pages.ts'
import type { PlatformService } from './platform/platform-records.ts'

/** What the authorization server needs of the service. */
export type OAuthService = SessionService &
  PlatformService &
  Pick<Service, 'logger' | 'shortTerm' | 'outbound' | 'agentsUrl' | 'userMail'>

/** Authorization server that is ready to answer. */
export interface OpenedServer extends OAuthDeps {
  readonly issuer: string
  readonly provider: Provider
  readonly sessions: SessionService
  readonly platform: PlatformService
  readonly telling: Telling
}

/** Returns the number of a person's credentials now. Who never signed in has the first one. */
export const generationOf = (service: SessionService) => async (userId: number) =>
  (await credentialsOf(service, userId))?.generation ?? 0

/** Loads the library, with the first request for it. It warns on the console of the version of Node.js, in the midst of the log. */
const loadLibrary = async () => {
  const { warn } = console
  console.warn = () => undefined
  try {
    return await import('./provider.ts')
  } finally {
    console.warn = warn
  }
}

/** Opens the authorization server. Its addresses are known once the service listens. */
export const openServer = async (service: OAuthService): Promise<OpenedServer> => {
  const { everywhere, logger, shortTerm, outbound, now, accountsUrl: issuer, agentsUrl } = service
  const deps: OAuthDeps = {
    ...{ everywhere, logger, shortTerm, outbound },
    now: () => now(),
    generationOf: generationOf(service),
    resources: { api: issuer, agents: agentsUrl },
  }
  const { createProvider } = await loadLibrary()
  const provider = createProvider({
    ...deps,
    issuer,
    platform: service,
    showFault: (ctx, error, description) => answerPage(ctx, faultPage(ctx.status, error, description)),
  })
  return { ...deps, issuer, provider, sessions: service, platform: service, telling: service }
}
