import { join } from 'node:path'
import type { Checkpoints } from '../../../domain/kernel/ports/checkpoints.ts'
import type { Vault } from '../../../domain/kernel/ports/vault.ts'
import { checkpointsApart, EmbeddedCheckpoints } from '../../checkpoints/embedded.ts'
import { EmbeddedKeyStore, EmbeddedKeyStoreApart } from '../../vault/embedded.ts'
import { KeyHalves } from '../../vault/key-halves.ts'
import type { KeyStore } from '../../vault/key-store.ts'
import { openVault } from '../../vault/sealing-vault.ts'
import { Appender } from './appender.ts'
import { EmbeddedLog } from './embedded-log.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { EventCodec } from './event-codec.ts'
import { GroupCommit } from './group-commit.ts'
import { structuresIn, Tables } from './tables.ts'

/** How long to wait for LMDB to close after a batch that failed: it may never say so. */
const CLOSE_PATIENCE_MS = 500

const KEY_HALVES = 'key-halves'

export interface LogOptions {
  /** Milliseconds since 1970, by which claims run out; default: the clock of the machine. */
  readonly now?: () => number
  /** The log that is used is another one; only the keys and the checkpoints of this environment are. */
  readonly apart?: boolean
}

/**
 * Opens the event log in a directory of its own, creating it in an empty or absent one. The caller sees to it that no other
 * process has it open (see the data directory).
 * @throws {Error} when the directory holds something foreign, damaged, or of another format; nothing is changed then
 */
export async function openEmbeddedLog(directory: string, options: LogOptions = {}): Promise<EmbeddedLog> {
  return openParts(directory, options).log
}

/**
 * The event log, and in the same environment the vault and the checkpoints of reactors, so that an event is never on disk
 * without the key to read it. Closing the log closes them all.
 * @param secret the master secret of the vault, at least 32 bytes
 * @throws {Error} as `openEmbeddedLog`, and when the stored keys belong to another master secret
 */
export async function openEmbeddedStore(
  directory: string,
  secret: Uint8Array,
  options: LogOptions = {},
): Promise<{ log: EmbeddedLog; vault: Vault; keys: KeyStore; checkpoints: Checkpoints }> {
  const { log, keys, checkpoints } = openParts(directory, options)
  try {
    return { log, vault: await openVault(keys, secret), keys, checkpoints }
  } catch (error) {
    await log.close()
    throw error
  }
}

function openParts(
  directory: string,
  { now = Date.now, apart = false }: LogOptions,
): { log: EmbeddedLog; keys: KeyStore; checkpoints: Checkpoints } {
  const { env, meta } = openEnvironment(directory)
  try {
    const codec = new EventCodec(structuresIn(meta))
    const tables = new Tables(env, meta, codec, directory)
    const keys = env.openDB<Buffer, number>({ name: 'keys', encoding: 'binary' })
    const checkpoints = env.openDB<number, string>({ name: 'checkpoints' })
    const last = tables.lastPosition()
    if (last >= 0) tables.event(last)
    const appender = new Appender(tables, codec, now)
    // After the last table: opening one is a commit that no batch accounts for.
    const commit = new GroupCommit(env, appender, directory)
    const halves = new KeyHalves(join(directory, KEY_HALVES))
    const log = new EmbeddedLog({ tables, appender, commit, now, shut: () => shut(env, commit, halves) })
    const riding = {
      keys: new EmbeddedKeyStore(keys, commit, halves),
      checkpoints: new EmbeddedCheckpoints(checkpoints, commit),
    }
    if (!apart) return { log, ...riding }
    return {
      log,
      keys: new EmbeddedKeyStoreApart(riding.keys, commit),
      checkpoints: checkpointsApart(riding.checkpoints, commit),
    }
  } catch (error) {
    void env.close()
    throw error
  }
}

async function shut(env: Environment, commit: GroupCommit, halves: KeyHalves): Promise<void> {
  halves.close()
  const closed = env.close()
  if (!commit.failed) return closed
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CLOSE_PATIENCE_MS))])
}
