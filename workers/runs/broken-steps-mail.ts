import { isAdmin, membership, workspace } from '../../domain/account/public.ts'
import { readEverywhere } from '../../domain/kernel/decide/rules.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { brokenStepsMail } from '../../domain/workflows/broken-steps-mail.ts'
import { step, workflow } from '../../domain/workflows/workflow/model.ts'
import type { BrokenStep } from '../../domain/workflows/workflow/told-broken.ts'
import { type UserMailDeps, userMailReaction } from '../accounts/user-mail.ts'
import type { Reaction } from '../reactor/reaction.ts'

/** Dependencies of telling admins of broken steps. */
export interface BrokenStepsMailDeps extends UserMailDeps {
  readonly live: ReadModels
  readonly log: Pick<EventLog, 'lastPosition'>
}

/** Mails the admins of the team which steps of a workflow fail for everybody. Nobody is mailed about a test workspace. */
export const brokenStepsMailReaction = (deps: BrokenStepsMailDeps): Reaction =>
  userMailReaction(deps, {
    name: 'broken-steps-mail',
    on: [workflow.event.WorkflowStepsBroken],
    async compose({ stream, data, metadata }) {
      const read = readEverywhere(deps.live)
      const [of, place] = await Promise.all([
        read.one(workflow, parseStream(stream).id),
        read.one(workspace, metadata.workspace_id),
      ])
      if (!of || !place || place.test) return []
      const { broken } = data as JsonObject & { readonly broken: readonly BrokenStep[] }
      const found = await read.many(
        step,
        broken.map(({ step_id }) => step_id),
      )
      const steps = broken.map(({ step_id, settings }) => {
        const name = found.find(({ id }) => id === step_id)?.name
        return { name: name ?? `Step ${step_id}`, settings }
      })
      const admins = (await read.find(membership, { where: { team_id: place.team_id ?? 0 } })).filter(isAdmin)
      const mails = admins.map(async ({ id: number, user_id }) => {
        const to = await deps.live.get('user', user_id)
        if (!to) return []
        const isWanted = async () => {
          await deps.seen({ position: await deps.log.lastPosition() })
          const now = await read.one(membership, number)
          return now !== undefined && isAdmin(now)
        }
        const mail = brokenStepsMail({ to: String(to.email), workspace: place.name, workflow: of, steps })
        return [{ number, mail: { ...mail, isWanted } }]
      })
      return (await Promise.all(mails)).flat()
    },
  })
