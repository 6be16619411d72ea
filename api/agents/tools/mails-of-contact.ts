import { broadcastOfCause, runOfCause } from '../../../domain/emails/mailing/purpose.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { type Agent, recordsOf } from '../agent.ts'

/** Returns why a mail was sent. */
const reasonOf = ({ kind, cause, class: sort }: Document): JsonObject => {
  const text = String(cause)
  const broadcast = broadcastOfCause(text)
  const run = runOfCause(text)
  if (broadcast !== undefined) return { because: 'a broadcast was sent to an audience', emails_broadcast_id: broadcast }
  if (run !== undefined) return { because: 'a step of a workflow sends a mail', workflows_run_id: run }
  return {
    because: sort === 'owed' ? 'it follows from what the recipient did' : 'it was asked for',
    occasion: text,
    kind: String(kind),
  }
}

/** Returns the newest mails to a contact within reach, with the reason for each. */
export const mailsOf = async (agent: Agent, contactId: number, most: number): Promise<JsonObject[]> => {
  const read = recordsOf(agent)
  const sort = { by: 'id', descending: true } as const
  const deliveries = await read.find('emails/delivery', { where: { contact_id: contactId }, sort, limit: most })
  const mails: JsonObject[] = []
  for (const delivery of deliveries) {
    const mailing = await read.get('emails/mailing', Number(delivery.mailing_id))
    if (!mailing) continue
    const {
      id,
      status,
      reason,
      created_at,
      settled_at,
      opened_at,
      clicked_at,
      emails_broadcasts_id,
      workflows_step_id,
    } = delivery
    mails.push({
      ...{ id, status, reason, created_at, settled_at, opened_at, clicked_at },
      ...{ emails_broadcasts_id, workflows_step_id },
      kind: mailing.kind,
      class: mailing.class,
      why: reasonOf(mailing),
    })
  }
  return mails
}
