import { ask } from '../kernel/decide/ask.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import { type Batch, policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { BOUGHT } from '../orders/public.ts'
import { section } from './course/model.ts'
import { enrollment } from './enrollment/model.ts'
import { enrollments } from './enrollment/rules.ts'
import { publishAction } from './publish-action.ts'

/** Gives sections that were published to those who are enrolled: to all, or to those whose purchase gave the whole course. */
export const enrolledGetSections = policy({
  name: 'enrolled-get-sections',
  on: [{ type: publishAction.completed }],
  async react({ stream }, documents): Promise<readonly Batch[]> {
    const { id } = parseStream(stream)
    const action = await documents.get(publishAction.resource.name, id)
    const isForBuyers = action?.offer_new_section_via_all_access_products === true
    if (!action || (action.auto_enroll !== true && !isForBuyers)) return []
    const named = Array.isArray(action.target_ids) ? action.target_ids.map(Number) : []
    const published = await readerOver(documents).find(section, { where: { publish_action_ids: id } })
    const section_ids = [...new Set([...named, ...published.map((one) => one.id)])]
    if (section_ids.length === 0) return []
    const only = action.auto_enroll === true ? null : BOUGHT
    return [
      {
        each: enrollment.name,
        where: { course_id: Number(action.course_id) },
        one: (enrollmentId) => ask(enrollments, enrollmentId, 'extend', { section_ids, only }),
      },
    ]
  },
})
