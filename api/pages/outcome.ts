import type { Body } from './body.ts'
import type { Entry } from './entry.ts'

/** Address that a visitor is sent to: a path of the same host, or the address of a page elsewhere. */
export type Target = { readonly path: string } | { readonly url: string }

/** Time by the clock of a workspace, ISO 8601. */
export interface Until {
  readonly workspaceId: number
  readonly at: string
}

/** What is found at a path, the same for every visitor. */
export type Outcome =
  | {
      readonly kind: 'body'
      readonly body: Body
      /** Its only address on this host, as browsers send it. All other spellings are redirected there. */
      readonly at?: string
      /** Time by the clock of a workspace from which on it is outdated, although nothing has changed. */
      readonly until?: Until | undefined
      /** Whether strangers get another one. */
      readonly isForMember?: boolean
    }
  | { readonly kind: 'redirect'; readonly to: Target }
  | { readonly kind: 'entry'; readonly entry: Entry; readonly funnel: EntryFunnel }

/** Funnel whose entry is split. */
export interface EntryFunnel {
  readonly id: number
  readonly workspaceId: number
  readonly teamId: number | undefined
  readonly isLive: boolean
}

/** Returns the value of `Location` for a target, with the query of the request as it came: before a fragment. */
export const locationOf = (to: Target, query: string): string => {
  if ('path' in to) return to.path + query
  const at = to.url.indexOf('#')
  const located = at < 0 ? to.url + query : to.url.slice(0, at) + query + to.url.slice(at)
  return located.replace(/[^\x21-\x7e]/gu, encodeURIComponent)
}

/** Returns a path as it is sent: escaped, and never one that browsers take for another host. */
export const sentPath = (path: string): string => new URL(`http://host/${path.replace(/^\/+/, '')}`).pathname
