import type { Secrets } from '../domain/kernel/ports/secrets.ts'
import { refuse } from '../domain/kernel/values/refusal.ts'
import type { FileOf } from '../domain/resources/view-types.ts'

/** A day in seconds: long enough to pass a link on to a colleague. After that, the record gives a new one. */
const LASTS_S = 24 * 60 * 60
/** Seconds for which a link works that a buyer is sent on to, once it is known that the buyer may have the file. */
export const SENT_ON_S = 10 * 60
/** Prefix of the paths of all files. */
export const DOWNLOADS = '/downloads/'
const PATH = /^\/downloads\/([a-z_/]+)\/(\d{1,16})$/
const NUMBER = /^\d{1,16}$/

/** Links to files that work without a token until they expire. Everyone who has a link has the file. */
export interface DownloadLinks {
  /** Returns a new link. @param lastsS seconds for which it works; default: a day */
  urlOf(file: FileOf, lastsS?: number): string
  /** Returns the address of a public path. It never expires. */
  publicUrl(path: string): string
  /** Returns the file that a URL requests; `undefined` when it requests none. @throws {Refusal} forbidden, for a wrong signature or an expired link */
  fileIn(url: URL): FileOf | undefined
  /** Makes links begin with this scheme, host and port from now on. */
  answersAt(origin: string): void
}

interface LinkDeps {
  readonly secrets: Pick<Secrets, 'marks'>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Scheme, host and port that links begin with, perhaps with a path. */
  readonly origin?: string | undefined
}

/** Creates links signed (HMAC-SHA256) with a secret of the installation. No link is stored, and a new secret invalidates all of them. */
export const downloadLinks = ({ secrets, now, origin: configuredOrigin = '' }: LinkDeps): DownloadLinks => {
  let origin = configuredOrigin
  const marks = secrets.marks('downloads', 'links')
  const signed = ({ resource, id, workspaceId }: FileOf, expires: number): string =>
    `${resource}\n${id}\n${workspaceId}\n${expires}`

  return {
    urlOf(file, lastsS = LASTS_S) {
      const expires = Math.floor(now() / 1000) + lastsS
      const signature = marks.textOf(signed(file, expires))
      const query = `workspace_id=${file.workspaceId}&expires=${expires}&signature=${signature}`
      return `${origin}${DOWNLOADS}${file.resource}/${file.id}?${query}`
    },
    publicUrl: (path) => origin + path,
    fileIn({ pathname, searchParams }) {
      const [, resource, id] = PATH.exec(pathname) ?? []
      if (resource === undefined) return undefined
      const [workspaceId, expires] = ['workspace_id', 'expires'].map((name) => searchParams.get(name) ?? '')
      const file = { resource, id: Number(id), workspaceId: Number(workspaceId) }
      const isNumbers = NUMBER.test(workspaceId!) && NUMBER.test(expires!)
      const isSigned = isNumbers && marks.fits(searchParams.get('signature') ?? '', signed(file, Number(expires)))
      if (!isSigned) throw refuse.forbidden('this is not a link that was given', 'signature', 'invalid')
      if (Number(expires) * 1000 <= now()) throw refuse.forbidden('this link has expired', 'expires', 'expired')
      return file
    },
    answersAt(url) {
      origin = url
    },
  }
}
