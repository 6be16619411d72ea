import { imageAt } from './files.ts'

/** Which images in texts of people are loaded by browsers of readers. */
export interface ShownImages {
  /** Scheme, host and port of the addresses that images of this service have. */
  readonly origins: readonly string[]
  /** Images of other hosts are loaded, so that these learn who reads. */
  readonly foreign: boolean
}

/** Returns a hook of `safeHtml`: images of this service are loaded from the host of the page, and others if that is allowed. */
export const shownImages =
  ({ origins, foreign }: ShownImages) =>
  (address: URL): string | undefined => {
    if (origins.includes(address.origin) && imageAt(address.pathname)) return address.pathname
    return foreign ? address.href : undefined
  }
