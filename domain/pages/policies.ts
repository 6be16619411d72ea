import { showPageStep } from '../funnels/funnel/model.ts'
import { funnels } from '../funnels/public.ts'
import { ask } from '../kernel/decide/ask.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { sites } from '../sites/public.ts'
import { page } from './page/model.ts'

/**
 * A page that is deleted leaves the funnel and stops being the homepage. The request that deletes it takes it off the funnel
 * that it knows of; this catches the one that it came onto at the same moment.
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
