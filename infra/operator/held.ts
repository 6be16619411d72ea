import { tagAction } from '../../domain/contacts/actions.ts'
import { enrollAction } from '../../domain/courses/enroll-action.ts'
import { publishAction } from '../../domain/courses/publish-action.ts'
import { broadcast } from '../../domain/emails/broadcast/model.ts'
import { broadcasts } from '../../domain/emails/broadcast/rules.ts'
import { type Ask, ask } from '../../domain/kernel/decide/ask.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { Job } from '../../domain/resources/jobs/job.ts'
import { run } from '../../domain/workflows/run/model.ts'
import { runs } from '../../domain/workflows/run/rules.ts'
import { runWorkflowAction } from '../../domain/workflows/run/run-action.ts'
import { OLDER_COPY } from '../../workers/older-copy.ts'
import { carryOut, type OperatorEngine } from './carry-out.ts'
import type { HeldKind } from './held-kinds.ts'

interface HeldDeps extends OperatorEngine {
  readonly live: ReadModels
  readonly now: (workspaceId?: number) => number
}

/** Something that waits for the operator's word. */
export interface ShownHeld {
  readonly id: number
  readonly workspace_id: number
  readonly kind: HeldKind
  readonly status: string
  readonly reason: string
  readonly created_at: string
}

export interface HeldQuery {
  readonly workspaceId?: number
  /** Id after which the list begins. */
  readonly after?: number
}

const PAGE = 200

interface Held {
  readonly name: string
  readonly where: object
  readonly release: (id: number) => Ask
}

const heldJob = ({ resource, decider }: Job): Held => ({
  name: resource.name,
  where: { held_reason: OLDER_COPY },
  release: (id) => ask(decider, id, 'release', {}),
})

const KINDS: Readonly<Record<HeldKind, Held>> = {
  run: {
    name: run.name,
    where: { held_reason: OLDER_COPY },
    release: (id) => ask(runs, id, 'release', {}),
  },
  broadcast: {
    name: broadcast.name,
    where: { status: 'paused', status_reason: OLDER_COPY },
    release: (id) => ask(broadcasts, id, 'resume', {}),
  },
  'workflow-action': heldJob(runWorkflowAction),
  'tag-action': heldJob(tagAction),
  'enroll-action': heldJob(enrollAction),
  'publish-action': heldJob(publishAction),
}

const shown = (kind: HeldKind, { id, workspace_id, created_at }: Document): ShownHeld => ({
  ...{ id: Number(id), workspace_id: Number(workspace_id), kind, status: 'held', reason: OLDER_COPY },
  created_at: String(created_at),
})

/** Returns the operator's actions on what an older copy of the data would do. */
export const operatorHeld = (deps: HeldDeps) => ({
  /** Returns a page of what is held. */
  async list(kind: HeldKind, { workspaceId, after }: HeldQuery): Promise<readonly ShownHeld[]> {
    const { name, where } = KINDS[kind]
    const within = { ...where, ...(workspaceId !== undefined && { workspace_id: workspaceId }) }
    const found = await deps.live.find(name, { where: within, limit: PAGE, ...(after !== undefined && { after }) })
    return found.map((document) => shown(kind, document))
  },

  /** Lets something go on. @throws {Refusal} not found; invalid, when it is not held */
  async release(kind: HeldKind, id: number): Promise<void> {
    const { name, release } = KINDS[kind]
    const document = Number.isSafeInteger(id) ? await deps.live.get(name, id) : undefined
    if (!document) throw refuse.notFound(`Not found: there is no ${kind} ${id}`)
    const workspaceId = Number(document.workspace_id)
    await carryOut(deps, release(id), { teamId: Number(document.team_id), workspaceId }, deps.now(workspaceId))
  },
})

export type OperatorHeld = ReturnType<typeof operatorHeld>
