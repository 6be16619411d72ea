import type { Random } from '../support/random.ts'
import { type Entry, executeWrite, isAcknowledged, type Ledger, type Target, type Write } from './ledger.ts'

/** Records that writers refer to, made before the first writer starts. */
export interface Setting {
  readonly tagIds: readonly number[]
  readonly stageIds: readonly number[]
}

/** Records that a writer has made and continues with. */
export interface OwnRecords {
  readonly contactIds: number[]
  readonly opportunityIds: number[]
  /** Applied tags by contact, so that none is applied twice. */
  readonly tagged: Set<string>
}

const contact = ({ workspaceId }: Target, mark: string, upsert: boolean): Write => ({
  mark,
  kind: 'contact',
  method: 'POST',
  path: `/workspaces/${workspaceId}/contacts${upsert ? '/upsert' : ''}`,
  body: { contact: { email_address: `${mark}@example.com`, first_name: mark } },
})

const change = (mark: string, on: number): Write => ({
  mark,
  kind: 'change',
  method: 'PUT',
  path: `/contacts/${on}`,
  body: { contact: { last_name: mark } },
  on,
})

const opportunity = ({ workspaceId }: Target, mark: string, stage: number, primary_contact_id: number): Write => ({
  mark,
  kind: 'opportunity',
  method: 'POST',
  path: `/workspaces/${workspaceId}/sales/opportunities`,
  body: { sales_opportunity: { name: mark, pipelines_stage_id: stage, primary_contact_id, value: '9.50' } },
})

const note = (mark: string, on: number): Write => ({
  mark,
  kind: 'note',
  method: 'POST',
  path: `/sales/opportunities/${on}/notes`,
  body: { sales_opportunities_note: { content: mark } },
  on,
})

const tag = (mark: string, on: number, tag_id: number): Write => ({
  mark,
  kind: 'tag',
  method: 'POST',
  path: `/contacts/${on}/applied_tags`,
  body: { contacts_applied_tag: { tag_id } },
  on,
})

/** The next write. It concerns only this writer's records, so that no other writer changes them. */
export const nextWrite = (
  target: Target,
  setting: Setting,
  held: OwnRecords,
  mark: string,
  { below, pick }: Random,
): Write => {
  const { contactIds, opportunityIds, tagged } = held
  const on = contactIds.at(-1 - below(Math.min(3, contactIds.length)))
  const kind = on === undefined ? 0 : below(8)
  if (kind <= 2 || on === undefined) return contact(target, mark, kind === 2)
  if (kind === 3) return change(mark, on)
  if (kind === 4 || (kind === 7 && opportunityIds.length === 0)) {
    return opportunity(target, mark, pick(setting.stageIds), on)
  }
  if (kind === 7) return note(mark, pick(opportunityIds))
  const free = setting.tagIds.find((id) => !tagged.has(`${on} ${id}`))
  if (free === undefined) return change(mark, on)
  tagged.add(`${on} ${free}`)
  return tag(mark, on, free)
}

/** Sends one write after the other, every second one with an idempotency key, until the service dies. @param ledger shows meanwhile what was sent */
export const writeUntilDead = async (
  target: Target,
  setting: Setting,
  name: string,
  random: Random,
  ledger: Entry[] = [],
): Promise<Ledger> => {
  const held: OwnRecords = { contactIds: [], opportunityIds: [], tagged: new Set() }
  for (let count = 0; ; count++) {
    const mark = `${name}-${count}`
    const write = nextWrite(target, setting, held, mark, random)
    const entry = await executeWrite(target, random.below(2) === 0 ? write : { ...write, key: `key ${mark}` })
    ledger.push(entry)
    if (!isAcknowledged(entry)) return ledger
    if (entry.kind === 'contact') held.contactIds.push(entry.id)
    if (entry.kind === 'opportunity') held.opportunityIds.push(entry.id)
  }
}
