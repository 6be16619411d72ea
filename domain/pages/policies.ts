import { funnelAggregate } from '../funnels/funnel/aggregate.ts'
import type { FunnelCommand } from '../funnels/funnel/commands.ts'
import { parseStream } from '../kernel/decider.ts'
import type { Policy } from '../kernel/policy.ts'
import { workerActor } from '../kernel/transact.ts'
import { sites } from '../sites/site/rules.ts'

/**
 * A page that is deleted leaves the funnel and stops being the homepage. The request that deletes it takes it off the funnel
 * that it knows of; this catches the one that it came onto at the same moment.
 */
export const deletedPagesLeave: Policy = {
  name: 'deleted-pages-leave',
  on: ['PageDeleted'],
  async react(event, read) {
    const pageId = parseStream(event.stream).id
    const basics = { at: event.metadata.at, actor: workerActor('policies') }
    const siteId = Number(event.metadata.workspace_id)
    const steps = await read.find('funnels/show_page_step', { where: { page_id: pageId } })
    return [
      ...steps.map((step) => ({
        aggregate: funnelAggregate,
        id: Number(step.funnel_id),
        command: (): FunnelCommand => ({ type: 'RemovePage', pageId, ...basics }),
      })),
      {
        aggregate: sites,
        id: siteId,
        command: () => ({ type: 'forgetPage', id: siteId, wanted: { page_id: pageId }, ...basics }),
      },
    ]
  },
}
