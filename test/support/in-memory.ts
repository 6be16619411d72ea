import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'

/** Memory that Linux shows as a directory. */
const MEMORY = '/dev/shm'
/** What a group of suites needs at most, with room to spare. */
const NEEDED_BYTES = 4 * 2 ** 30

const hasRoom = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > NEEDED_BYTES
  } catch {
    return false
  }
}

/**
 * Carries out what keeps its files in memory, where there is room: waiting for a disk proves nothing but where storage is what is tested. The name is
 * short, since paths of sockets have a limit.
 *
 * @param work gets the variables that say so
 */
export const inMemory = async <T>(work: (env: Readonly<Record<string, string>>) => Promise<T>): Promise<T> => {
  if (!hasRoom()) return work({})
  const place = mkdtempSync(path.join(MEMORY, 'mr-'))
  // Programs of other users keep files there too, as in any such place.
  chmodSync(place, 0o1777)
  const remove = () => rmSync(place, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    return await work({ TMPDIR: place })
  } finally {
    process.off('exit', remove)
    remove()
  }
}
