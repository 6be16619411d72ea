import { managed } from '../kernel/model/field.ts'
import { integer } from '../kernel/model/fields.ts'

const id = () => managed(integer({ nullable: true }), { shown: 'never' })

/** Page that sold something, with its step, its funnel and the session of the visitor. Statistics read them from orders. */
export const soldBy = {
  sold_page_id: id(),
  sold_step_id: id(),
  sold_funnel_id: id(),
  session_id: id(),
}
