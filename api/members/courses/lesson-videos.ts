import type { Steps } from '../../../domain/kernel/values/turns.ts'
import type { ShownVideo } from '../../../domain/resources/html/safe-html.ts'
import { filled } from '../../html/filled.ts'
import { playerOf } from '../../pages/rendering/player.ts'
import type { ReaderRequest } from '../request.ts'

/** Seconds for which the file of a video is loaded. */
const WATCHED_S = 6 * 60 * 60
const DOWNLOAD = /^\/downloads\/download\/(\d{1,16})$/

/**
 * Returns how videos of a lesson are shown. Those of known providers are in their players, and those of other hosts are played, if the operator allows it; else
 * they are links. A file of the workspace is played whenever the link to it was made: each reader gets one that works.
 */
export const videoIn =
  ({ service, site, words }: Pick<ReaderRequest, 'service' | 'site' | 'words'>, base: URL) =>
  (address: URL): ShownVideo => {
    const label = filled(words.course.video, { address: address.origin + address.pathname })
    const own = [base.origin, new URL(service.publicUrl('/'), base).origin]
    const [, id] = (own.includes(address.origin) && DOWNLOAD.exec(address.pathname)) || []
    if (id !== undefined) {
      const of = { resource: 'download', id: Number(id), workspaceId: site.workspaceId }
      const { pathname, search } = new URL(service.download(of, WATCHED_S), base)
      return { file: pathname + search, label, isKnown: true }
    }
    const player = playerOf(address.href)?.src
    const isKnown = player !== undefined
    if (!service.thirdParty.has('videos')) return { label, isKnown }
    return { player, file: isKnown ? undefined : address.href, label, isKnown }
  }

/** Returns the origins that elements of a name in safe HTML load from. */
const originsOf = function* (name: string, safe: string, base: URL): Steps<readonly string[]> {
  const begin = `<${name} src="`
  const found = new Set<string>()
  yield
  for (let at = safe.indexOf(begin); at >= 0; at = safe.indexOf(begin, at)) {
    yield
    at += begin.length
    found.add(new URL(safe.slice(at, safe.indexOf('"', at)), base).origin)
  }
  return [...found]
}

/** Finds what the videos in safe HTML are loaded from, in steps. */
export const videoSources = function* (safe: string, base: URL) {
  return { frames: yield* originsOf('iframe', safe, base), media: yield* originsOf('video', safe, base) }
}
