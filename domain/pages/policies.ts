import { showPageStep } from '../funnels/funnel/model.ts'
import { funnels } from '../funnels/public.ts'
import { ask } from '../kernel/decide/ask.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { sites } from '../sites/public.ts'
import { page } from './page/model.ts'

/**
 * Takes a deleted page off its funnel and clears it as homepage. The deleting request already takes it off the funnel that it
 * knows of. This policy catches a funnel onto which the page was put at the same moment.
 */
export const deletedPagesLeave = policy({
  name: 'deleted-pages-leave',
  on: [page.event.PageDeleted],
  async react({ stream, metadata }, read) {
    const pageId = parseStream(stream).id
    const steps = await read.find(showPageStep.name, { where: { page_id: pageId } })
    return [
      ...steps.map(({ funnel_id }) => ask(funnels, Number(funnel_id), 'removePage', { pageId })),
      ask(sites, Number(metadata.workspace_id), 'forgetPage', { page_id: pageId }),
    ]
  },
})
