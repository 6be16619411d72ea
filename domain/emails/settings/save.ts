import { ask } from '../../kernel/decide/ask.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import type { Refusal } from '../../kernel/values/refusal.ts'
import type { ActionInput } from '../../resources/operation.ts'
import { mailSettings } from './model.ts'
import { mailSettingsDecider } from './rules.ts'

/** Saves settings of a workspace's mail, the first ones too. */
export const saveSettings = async (
  { owner, transact, read }: Pick<ActionInput, 'owner' | 'transact' | 'read'>,
  wanted: JsonObject,
): Promise<Refusal | undefined> => {
  const workspaceId = Number(owner?.id)
  return transact(
    (await read.get(mailSettings.name, workspaceId))
      ? ask(mailSettingsDecider, workspaceId, 'change', wanted, { workspaceId })
      : ask(mailSettingsDecider, workspaceId, 'create', wanted, { workspaceId, isNew: true }),
  )
}
