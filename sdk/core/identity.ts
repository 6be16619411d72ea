import { attempt } from './attempt.ts'
import type { CoreHost } from './host.ts'

/** Who the visitor is to one workspace, as this browser knows. */
export interface Identity {
  visitor(): string
  session(): string | undefined
  /** Remembers the session's secret. */
  keep(session: string): void
  /** Notes the last view of the tab. @returns the one before */
  viewed(view: string): string | null | undefined
  /** Stores what is remembered, or, without consent, takes it out of the browser's storage. Whoever withdraws consent is somebody else from then on. */
  sync(): void
}

/** Length of the visitor's id, which stands before the secret. */
const ID = 22
const YEAR = 31536000

/** Whether something may be stored in this browser. */
export const hasConsent = ({ document }: CoreHost): boolean =>
  !document.querySelector('meta[name=cf-consent][content=denied]')

/**
 * Keeps identity in a cookie of the page's own host and, where that is lost, in its storage; in memory alone where nothing may be stored.
 * Pages of two workspaces, or of two installations, on one origin do not share it.
 */
export const identify = (host: CoreHost, space: string): Identity => {
  const { document, storage, tab } = host
  const key = `cf_${host.sdk}_${space}`.replace(/\W+/g, '_')
  const stored = () =>
    attempt(() => document.cookie.match(`(?:^|; )${key}=([\\w-]{22}[^;]*)`)?.[1]) ||
    attempt(() => storage!.getItem(key))
  const write = (value: string, age: number) =>
    attempt(() => {
      const secure = host.location.protocol === 'https:' ? ';secure' : ''
      document.cookie = `${key}=${value};path=/;max-age=${age};samesite=lax${secure}`
    })
  let memory = stored() || host.random()
  /** What was stored when it was last looked for. */
  let kept: string | null | undefined
  /** Set where there was consent in this load. */
  let hadConsent: string | undefined
  const save = () => {
    write(memory, YEAR)
    attempt(() => storage!.setItem(key, memory))
  }
  // Another tab may have been given a newer session, or have ended it with the consent.
  const value = () => {
    memory = stored() || (kept && host.random()) || memory
    kept = stored()
    return memory
  }
  const identity: Identity = {
    visitor: () => value().slice(0, ID),
    session: () => value().slice(ID) || undefined,
    keep: (session) => {
      memory = identity.visitor() + session
      if (hasConsent(host)) save()
    },
    viewed: (view) =>
      attempt(() => {
        const before = tab!.getItem(key)
        if (hasConsent(host)) tab!.setItem(key, view)
        return before
      }),
    sync: () => {
      if (hasConsent(host)) {
        hadConsent = value()
        return kept || save()
      }
      if (stored()) {
        write('', 0)
        attempt(() => storage!.removeItem(key))
        attempt(() => tab!.removeItem(key))
      }
      memory = (hadConsent && host.random()) || memory
      hadConsent = kept = undefined
    },
  }
  identity.sync()
  return identity
}
