import { contacts } from '../../domain/contacts/contact/rules.ts'
import { readConfig } from '../../infra/config.ts'
import { createCore } from '../../infra/runtime/core.ts'
import { openStores } from '../../infra/stores/open.ts'
import { actor } from '../fill/target.ts'
import { createContact } from '../people.ts'

/**
 * Appends contacts without projecting them, and waits to be killed. Takes a data directory, a workspace in it, and the number of
 * contacts; prints `{}` when they are on disk.
 */
const [, , directory, workspace, count] = process.argv
const stores = await openStores(readConfig({ MILLRACE_DATA: directory }))
const core = await createCore(stores)
const workspaceId = Number(workspace)
const teamId = Number((await stores.readModels.live.get('workspace', workspaceId))?.team_id)
const act = actor(core, { workspaceId, teamId, stageIds: [] })

/** Derived from the last position, so that no address repeats when this program runs again. */
const from = 200_000_000 + (await stores.log.lastPosition())
await Promise.all(
  Array.from({ length: Number(count) }, (_, i) => {
    const id = core.ids.next('contact')
    return act(contacts, id, createContact(id, from + i), true)
  }),
)
process.stdout.write('{}\n')
setInterval(() => {}, 1000)
