import { contact, isContactKept } from '../../contacts/public.ts'
import { list, text } from '../../kernel/model/fields.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import type { Model, RecordOf } from '../../kernel/model/model.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { job } from '../../resources/jobs/job.ts'
import type { TargetFile } from '../../resources/jobs/target-file.ts'
import { underCommunity } from '../community/index.ts'
import { ban, membership } from '../membership/model.ts'
import { banTargets } from './bans.ts'
import { memberTargets } from './spaces.ts'
import { followed } from './status.ts'

type Contact = RecordOf<typeof contact>
type Column<R> = (record: R, of: Contact) => Json
type Columns<R> = Readonly<Record<string, Column<R>>>

const nameOf = ({ first_name, last_name }: Contact): string | null =>
  [first_name, last_name].filter((part) => part !== null && part !== '').join(' ') || null

const MEMBERS: Columns<RecordOf<typeof membership>> = {
  id: ({ id }) => id,
  contact_id: ({ contact_id }) => contact_id,
  name: (_, of) => nameOf(of),
  email: (_, of) => of.email_address,
  first_name: (_, of) => of.first_name,
  last_name: (_, of) => of.last_name,
  phone_number: (_, of) => of.phone_number,
  moderator: ({ moderator }) => moderator,
  space_ids: ({ space_ids }) => space_ids,
  joined_at: ({ created_at }) => created_at,
}

const BANS: Columns<RecordOf<typeof ban>> = {
  id: ({ id }) => id,
  contact_id: ({ contact_id }) => contact_id,
  contact_name: (_, of) => nameOf(of),
  contact_email: (_, of) => of.email_address,
  banned_by_id: ({ banned_by_id }) => banned_by_id,
  reason: ({ reason }) => reason,
  created_at: ({ created_at }) => created_at,
}

/** Returns the columns that were asked for; none: all. */
const fieldsOf = ({ fields }: JsonObject, all: Columns<never>): readonly string[] =>
  Array.isArray(fields) && fields.length > 0 ? fields.map(String) : Object.keys(all)

const titleOf = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const MOST_COLUMNS = 200
const attributes = {
  fields: list(text(), { nullable: true, initial: [], max: MOST_COLUMNS, about: 'The columns, in order. None: all' }),
}

const objecting =
  (all: Columns<never>) =>
  async (wanted: JsonObject): Promise<Refusal | undefined> => {
    const unknown = fieldsOf(wanted, all).filter((name) => !Object.hasOwn(all, name))
    if (unknown.length === 0) return undefined
    return refuse.invalid(`Fields contains invalid field names: ${unknown.join(', ')}`, 'fields', 'inclusion')
  }

const openContact = recordOf(contact)

/** Returns the file of an export, with a row for each target whose contact is still there. */
const fileOf = <M extends Model>(name: string, model: M, all: Columns<RecordOf<M>>): TargetFile => {
  const open = recordOf(model)
  return {
    name,
    person: { resource: contact.name, field: 'contact_id' },
    header: (action) => fieldsOf(action, all).map(titleOf),
    row(action, target: Document, person) {
      const of = openContact(person)
      if (!isContactKept(of)) return refuse.notFound()
      const record = open(target)
      return fieldsOf(action, all).map((column) => all[column]?.(record, of) ?? null)
    },
  }
}

/** Communities::Memberships::ExportAction: a CSV file with a row for each of many members. */
export const memberExportAction = job({
  name: 'communities/memberships/export_action',
  title: 'Communities::Memberships::ExportAction',
  consequence: null,
  root: 'communities_memberships_export_action',
  category: 'community',
  under: underCommunity,
  events: {
    queued: 'MembersExportActionQueued',
    started: 'MembersExportActionStarted',
    advanced: 'MembersExportActionAdvanced',
    completed: 'MembersExportActionCompleted',
    removed: 'MembersExportActionRemoved',
  },
  sealedFromTheStart: true,
  view: followed,
  targets: memberTargets,
  attributes,
  objection: objecting(MEMBERS),
  paths: {
    list: ['listCommunitiesMembershipsExportActions', '/communities/{community_id}/memberships/export_actions'],
    create: ['createCommunitiesMembershipsExportActions', '/communities/{community_id}/memberships/export_actions'],
    show: ['getCommunitiesMembershipsExportActions', '/communities/memberships/export_actions/{id}'],
  },
  file: fileOf('members', membership, MEMBERS),
})

/** Communities::Bans::ExportAction: a CSV file with a row for each of many bans. */
export const banExportAction = job({
  name: 'communities/bans/export_action',
  title: 'Communities::Bans::ExportAction',
  consequence: null,
  root: 'communities_bans_export_action',
  category: 'community',
  under: underCommunity,
  events: {
    queued: 'BansExportActionQueued',
    started: 'BansExportActionStarted',
    advanced: 'BansExportActionAdvanced',
    completed: 'BansExportActionCompleted',
    removed: 'BansExportActionRemoved',
  },
  sealedFromTheStart: true,
  view: followed,
  targets: banTargets,
  attributes,
  objection: objecting(BANS),
  paths: {
    list: ['listCommunitiesBansExportActions', '/communities/{community_id}/bans/export_actions'],
    create: ['createCommunitiesBansExportActions', '/communities/{community_id}/bans/export_actions'],
    show: ['getCommunitiesBansExportActions', '/communities/bans/export_actions/{id}'],
  },
  file: fileOf('bans', ban, BANS),
})
