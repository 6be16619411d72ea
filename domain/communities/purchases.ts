import { ask } from '../kernel/decide/ask.ts'
import { type Reader, readerOver } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { policy } from '../kernel/react/policy.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { order } from '../orders/order/model.ts'
import {
  BOUGHT,
  ENTITLING,
  type Entitlement,
  entitlementsByLines,
  entitlementsOf,
  firstPaid,
  isOpenAt,
  mayEntitle,
} from '../orders/public.ts'
import { includedIn } from '../store/public.ts'
import { space } from './community/model.ts'
import { membership, participation } from './membership/model.ts'
import { participations } from './membership/rules.ts'

type Participation = Pick<RecordOf<typeof participation>, 'id' | 'purchases'>

/** Returns the command by which a participation follows the lines that have opened spaces to it; none where none has. */
const followed = ({ id, purchases }: Participation, lines: readonly Entitlement[], at: string) => {
  const standings = lines
    .filter(({ line_id }) => purchases.some((one) => one.source_type === BOUGHT && one.source_id === line_id))
    .map((one) => ({ source_type: BOUGHT, source_id: one.line_id, isOpen: isOpenAt(one, at) }))
  return standings.length > 0 ? [ask(participations, id, 'follow', { standings })] : []
}

/**
 * Returns the spaces that a contact is in at a time by what is held of its payments. Policies close a space after whoever gave the money back has been
 * answered; who opens one asks here, and does not wait for them.
 */
export const spacesNow = async (
  { purchases, bought_space_ids }: Pick<RecordOf<typeof participation>, 'purchases' | 'bought_space_ids'>,
  space_ids: readonly number[],
  at: string,
  read: Reader,
): Promise<readonly number[]> => {
  const running = purchases.filter(({ source_type, ended }) => source_type === BOUGHT && !ended)
  if (running.length === 0) return space_ids
  const lines = await entitlementsByLines(
    running.map(({ source_id }) => source_id),
    read,
  )
  const closed = new Set(lines.flatMap((line) => (isOpenAt(line, at) ? [] : line.line_id)))
  const kept = new Set(running.flatMap((one) => (closed.has(one.source_id) ? [] : one.space_ids)))
  const lost = running.flatMap((one) => (closed.has(one.source_id) ? one.space_ids : []))
  const gone = new Set(lost.filter((id) => bought_space_ids.includes(id) && !kept.has(id)))
  return space_ids.filter((id) => !gone.has(id))
}

/** Opens the spaces of the groups that variants include to their buyers, and closes and opens them again with what was paid for them. */
export const purchasesOpenSpaces = policy({
  name: 'purchases-open-spaces',
  on: ENTITLING,
  when: mayEntitle,
  async react({ type, stream, data, metadata: { at } }, documents, mint) {
    const read = readerOver(documents)
    const { id } = parseStream(stream)
    const sold = await read.one(order, id)
    if (!sold) return []
    const { contact_id } = sold
    const held = await read.find(participation, { where: { contact_id } })
    const paid = firstPaid({ type, data })
    if (paid === undefined && held.every(({ purchases }) => purchases.length === 0)) return []
    const lines = await entitlementsOf(id, read)
    const bought = lines.filter(({ invoice_id, isBought }) => isBought && invoice_id === paid)
    const opened = await Promise.all(
      bought.map(async ({ line_id, variant_id }) => {
        const groups = (await includedIn(variant_id, read)).space_group_ids
        const spaces = (
          await Promise.all(groups.map((group) => read.find(space, { where: { space_group_id: group } })))
        ).flat()
        return [...new Set(spaces.map(({ community_id }) => community_id))].map((community_id) => {
          const space_ids = spaces.filter((one) => one.community_id === community_id).map((one) => one.id)
          const wanted = { source_type: BOUGHT, source_id: line_id, space_ids: [...new Set(space_ids)] }
          const options = { ids: [mint(membership)], ifTaken: 'buy' } as const
          return ask(participations, 'new', 'create', { contact_id, community_id, bought: wanted }, options)
        })
      }),
    )
    return [...opened.flat(), ...held.flatMap((one) => followed(one, lines, at))]
  },
})

/** Closes spaces that a purchase opened after what was paid for it had been given back: the order did not show the member yet, or the reverse. */
export const spacesFollowPurchases = policy({
  name: 'spaces-follow-purchases',
  on: [participation.event.SpacesBought],
  async react({ stream, metadata: { at } }, documents) {
    const read = readerOver(documents)
    const own = await read.one(participation, parseStream(stream).id)
    if (!own) return []
    const ids = own.purchases.flatMap((one) => (one.source_type === BOUGHT ? one.source_id : []))
    return followed(own, await entitlementsByLines(ids, read), at)
  },
})
