import { createPrivateKey, type KeyObject } from 'node:crypto'
import { domain } from '../../domain/emails/domain/model.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import { keyOfWorkspace } from '../../domain/kernel/model/personal.ts'
import type { SigningKey } from '../../domain/kernel/ports/mail-transport.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { dkimSignature } from './dkim.ts'

/** Most keys that are kept open. */
const KEPT = 500

const open = recordOf(domain)

/**
 * Returns a function that gives the key with which a sending domain of a workspace signs now. `undefined`: the
 * domain is not the workspace's own, such as the one that all share.
 */
export const signingKeys = ({ live, vault }: { readonly live: ReadModels; readonly vault: Vault }) => {
  /** Private keys by their sealed form, the longest unused first. */
  const opened = new Map<string, KeyObject>()

  const openKey = async (workspaceId: number, sealed: string): Promise<KeyObject | undefined> => {
    const pem = (await vault.open(keyOfWorkspace(workspaceId), sealed))?.key
    return typeof pem === 'string' ? createPrivateKey(pem) : undefined
  }

  const privateKey = async (workspaceId: number, sealed: string): Promise<KeyObject | undefined> => {
    const key = opened.get(sealed) ?? (await openKey(workspaceId, sealed))
    if (key === undefined) return undefined
    opened.delete(sealed)
    opened.set(sealed, key)
    if (opened.size > KEPT) for (const oldest of [...opened.keys()].slice(0, 1)) opened.delete(oldest)
    return key
  }

  return async (workspaceId: number, name: string): Promise<SigningKey | undefined> => {
    const [found] = await live.find(domain.name, { where: { workspace_id: workspaceId, name }, limit: 1 })
    const key = found && open(found).dkim_key
    if (!key) return undefined
    const opening = await privateKey(workspaceId, key.sealed)
    if (!opening) return undefined
    const domainKey = { domainName: name, keySelector: key.selector, privateKey: opening }
    return { sign: (header, body) => dkimSignature(header, body, domainKey) }
  }
}
