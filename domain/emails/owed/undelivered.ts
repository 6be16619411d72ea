import { Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { nullableString } from '../../resources/schemas.ts'
import type { Loader } from '../../resources/view-types.ts'
import { delivery, mailing } from '../mailing/model.ts'
import type { DeliveryStatus } from '../mailing/outcomes.ts'

/** Most mails about one order that are looked at. */
const MOST = 50

/** Statuses of mails that reached their recipient, or still may. */
const GOOD: readonly DeliveryStatus[] = ['sent', 'kept', 'waiting', 'taken']

const openMailing = recordOf(mailing)
const openDelivery = recordOf(delivery)

/** Returns why a mail has not reached its recipient; `undefined`: it has, or may yet. */
const undelivered = async (document: Document, load: Loader): Promise<JsonObject | undefined> => {
  const { id, kind, status: of, status_reason, updated_at } = openMailing(document)
  if (of === 'held') return { kind, status: of, reason: status_reason, since: updated_at }
  const [one] = await load.where(delivery.name, 'mailing_id', id, 1)
  if (!one) return undefined
  const { status, reason, settled_at } = openDelivery(one)
  return GOOD.includes(status) ? undefined : { kind, status, reason, since: settled_at }
}

/** Mails about an order that its buyer is owed and has not got, with what became of them. */
export const undeliveredMails = {
  schema: Type.Array(
    Type.Object({
      kind: Type.String(),
      status: Type.String({ description: 'What became of it; `held`: it waits for the operator' }),
      reason: nullableString,
      since: nullableString,
    }),
  ),
  of: async ({ id }: { readonly id: number }, load: Loader): Promise<readonly JsonObject[]> => {
    const mailings = await load.where(mailing.name, 'owed_for', id, MOST)
    const all = await Promise.all(mailings.map((one) => undelivered(one, load)))
    return all.filter((one) => one !== undefined)
  },
}
