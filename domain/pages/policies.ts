import { showPageStep } from '../funnels/funnel/model.ts'
import { funnels } from '../funnels/public.ts'
import { parseStream } from '../kernel/decider.ts'
import type { Policy } from '../kernel/policy.ts'
import { workerActor } from '../kernel/transaction.ts'
import { sites } from '../sites/public.ts'

/**
 * A page that is deleted leaves the funnel and stops being the homepage. The request that deletes it takes it off the funnel
 * that it knows of; this catches the one that it came onto at the same moment.
 */
export const deletedPagesLeave: Policy = {
  name: 'deleted-pages-leave',
  on: ['PageDeleted'],
  async react(event, read) {
    const pageId = parseStream(event.stream).id
    const stamp = { at: event.metadata.at, actor: workerActor('policies') }
    const steps = await read.find(showPageStep.name, { where: { page_id: pageId } })
    return [
      ...steps.map((step) => ({
        aggregate: funnels,
        id: Number(step.funnel_id),
        command: () => ({ type: 'removePage', id: Number(step.funnel_id), wanted: { pageId }, ...stamp }),
      })),
      {
        aggregate: sites,
        id: Number(event.metadata.workspace_id),
        command: () => ({
          type: 'forgetPage',
          id: Number(event.metadata.workspace_id),
          wanted: { page_id: pageId },
          ...stamp,
        }),
      },
    ]
  },
}
