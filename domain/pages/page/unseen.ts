import { showPageStep } from '../../funnels/funnel/model.ts'
import { isInTest } from '../../funnels/public.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import { idIn } from '../../kernel/values/ids.ts'
import { objectOf } from '../../resources/attributes/as-sent.ts'
import type { IsUnseen } from '../../resources/consequence.ts'

/** Whether a page is in a funnel in test mode alone, and stays there. One of its own is live at its path. */
export const isPageUnseen: IsUnseen = async ({ document, sent, parseId }, read) => {
  const { funnel_id, show_page_step_id } = objectOf(sent.funnel)
  const step = await readerOver(read).one(showPageStep, parseId(show_page_step_id, showPageStep.name))
  const places = [idIn(document?.funnel_id), parseId(funnel_id, 'funnel'), idIn(step?.funnel_id)]
  const funnels = places.filter((id) => typeof id === 'number')
  const inTest = await Promise.all(funnels.map((id) => isInTest(id, read)))
  return funnels.length > 0 && inTest.every(Boolean)
}
