import { expect } from 'chai'
import { all, type Entry, isAcknowledged, type Ledger, send, type Target } from './ledger.ts'
import type { Setting } from './writers.ts'

/** Creates the tags and the pipeline that writers refer to. */
export const settingFor = async (target: Target): Promise<Setting> => {
  const contacts = `/workspaces/${target.workspaceId}/contacts`
  const tags = await Promise.all(
    ['One', 'Two', 'Three'].map((name) =>
      send(target, 'POST', `${contacts}/tags`, { body: { contacts_tag: { name } } }),
    ),
  )
  const stages_attributes = [
    { name: 'New', close_probability: 10 },
    { name: 'Won', close_probability: 100 },
  ]
  const body = { sales_pipeline: { name: 'Deals', stages_attributes } }
  const pipeline = await send(target, 'POST', `/workspaces/${target.workspaceId}/sales/pipelines`, { body })
  return {
    tagIds: tags.map((tag) => tag!.body.id),
    stageIds: pipeline!.body.stages.map(({ id }: { id: number }) => id),
  }
}

/** Finds every occurrence of each mark, with its record. */
export const findMarks = async (target: Target): Promise<Map<string, string[]>> => {
  const seen = new Map<string, string[]>()
  const enter = (mark: string, place: string) => seen.set(mark, [...(seen.get(mark) ?? []), place])
  for (const contact of await all(target, `/workspaces/${target.workspaceId}/contacts`)) {
    enter(contact.first_name, `contact ${contact.id}`)
    if (contact.last_name) enter(contact.last_name, `change ${contact.id}`)
    for (const tag of contact.tags) enter(`${contact.id} ${tag.id}`, 'tag')
  }
  for (const opportunity of await all(target, `/workspaces/${target.workspaceId}/sales/opportunities`)) {
    enter(opportunity.name, `opportunity ${opportunity.id}`)
    for (const note of opportunity.notes) enter(note.content, `note ${note.id}`)
  }
  return seen
}

/** Expects each acknowledged write exactly once, and each other write at most once. */
export const expectOnce = (ledger: Ledger, seen: ReadonlyMap<string, string[]>): void => {
  for (const { mark, kind, on, id, body } of ledger) {
    if (kind === 'change') continue
    const sought =
      kind === 'tag'
        ? `${on} ${(body as { contacts_applied_tag: { tag_id: number } }).contacts_applied_tag.tag_id}`
        : mark
    const places = seen.get(sought) ?? []
    if (id === undefined) expect(places.length, `${kind} ${mark}`).to.be.at.most(1)
    else expect(places, `${kind} ${mark}`).to.deep.equal([kind === 'tag' ? 'tag' : `${kind} ${id}`])
  }
}

/** Expects each contact to show its last change: the last acknowledged one, or one sent after it. */
export const expectLastChanges = (ledger: Ledger, seen: ReadonlyMap<string, string[]>): void => {
  const changes = new Map<number, Entry[]>()
  for (const entry of ledger) {
    if (entry.kind === 'change') changes.set(entry.on!, [...(changes.get(entry.on!) ?? []), entry])
  }
  for (const [contact, sent] of changes) {
    const last = sent.findLastIndex(isAcknowledged)
    const possible = sent.slice(Math.max(0, last)).map(({ mark }) => mark)
    const held = possible.filter((mark) => seen.get(mark)?.includes(`change ${contact}`))
    if (last >= 0) expect(held, `last of ${possible} on ${contact}`).to.have.length(1)
  }
}
