import { clockOf, shownClock, workspaces } from '../../domain/account/public.ts'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { moment } from '../../domain/kernel/model/fields.ts'
import { parseFields } from '../../domain/kernel/model/parse.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { PublicIds } from '../../domain/kernel/values/public-ids.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { zoneOfWorkspace } from '../../domain/resources/attributes/time-zone.ts'
import type { WorkspaceClocks } from '../workspace-clocks.ts'
import { carryOut, type OperatorEngine } from './carry-out.ts'

interface TestClockDeps extends OperatorEngine {
  readonly live: ReadModels
  readonly clocks: Pick<WorkspaceClocks, 'now' | 'look'>
  readonly publicIds: PublicIds
}

/** A test clock, as the API shows it. */
export interface ShownClock {
  readonly workspace_id: number
  readonly state: 'ready' | 'advancing'
  readonly now: string
  readonly to: string | null
}

const fields = { to: moment({ required: true }) }

/** Returns the operator's actions on the clocks of test workspaces. */
export const testClocks = (deps: TestClockDeps) => {
  const { live, clocks, publicIds } = deps
  const findWorkspace = async (id: number): Promise<Document> => {
    const document = await live.get(workspaces.name, id)
    if (!document) throw refuse.notFound('No such workspace')
    await clocks.look(id)
    return document
  }
  const isoNow = (id: number) => new Date(clocks.now(id)).toISOString()

  return {
    /** @throws {Refusal} not found, unless it is a test workspace */
    async show(id: number): Promise<ShownClock> {
      const document = await findWorkspace(id)
      if (!clockOf(document)) throw refuse.notFound('Only a workspace that was made with --test has a test clock')
      return shownClock(document, isoNow(id)) as unknown as ShownClock
    },

    /** Starts to advance a clock. @throws {Refusal} invalid or conflict, when it cannot be advanced to that time */
    async advance(id: number, to: string): Promise<void> {
      const document = await findWorkspace(id)
      const { values, details } = parseFields(fields, { to }, 'create', {
        ids: publicIds,
        zone: zoneOfWorkspace(document),
      })
      if (details.length > 0) throw refuse.invalidFields(details)
      const advance = ask(workspaces, id, 'advanceClock', { to: String(values.to) })
      await carryOut(deps, advance, { teamId: Number(document.team_id), workspaceId: id }, clocks.now(id))
    },
  }
}

export type TestClocks = ReturnType<typeof testClocks>
