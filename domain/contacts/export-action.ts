import { list as listOf, text } from '../kernel/model/fields.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { refuse } from '../kernel/values/refusal.ts'
import { job } from '../resources/jobs/job.ts'
import { targets } from './actions.ts'
import { cellsOf, columnTitle, isLiveContact, unknownColumns } from './columns.ts'

/** Highest number of columns in a file. */
const MAX_COLUMNS = 200

const fieldsOf = ({ fields }: JsonObject): readonly string[] => (Array.isArray(fields) ? fields.map(String) : [])

/** Contacts::ExportAction: a CSV file with a row for each of many contacts, as the contact was when the action processed it. */
export const exportAction = job({
  name: 'contacts/export_action',
  title: 'Contacts::ExportAction',
  consequence: null,
  root: 'contacts_export_action',
  category: 'contacts',
  events: {
    queued: 'ContactsExportActionQueued',
    started: 'ContactsExportActionStarted',
    advanced: 'ContactsExportActionAdvanced',
    completed: 'ContactsExportActionCompleted',
    removed: 'ContactsExportActionRemoved',
  },
  targets,
  attributes: {
    fields: listOf(text(), {
      required: true,
      max: MAX_COLUMNS,
      about: 'The columns, in order: properties of contacts, and keys of custom attributes that a contact has',
    }),
  },
  paths: {
    list: ['listContactsExportActions', '/workspaces/{workspace_id}/contacts/export_actions'],
    create: ['createContactsExportActions', '/workspaces/{workspace_id}/contacts/export_actions'],
    show: ['getContactsExportActions', '/contacts/export_actions/{id}'],
    remove: ['removeContactsExportActions', '/contacts/export_actions/{id}'],
  },
  async objection(wanted, workspaceId, read) {
    const unknown = await unknownColumns(fieldsOf(wanted), workspaceId, read)
    if (unknown.length === 0) return undefined
    return refuse.invalid(`Fields contains invalid field names: ${unknown.join(', ')}`, 'fields', 'inclusion')
  },
  file: {
    name: 'contacts',
    header: (action) => fieldsOf(action).map(columnTitle),
    row: (action, contact) => (isLiveContact(contact) ? cellsOf(fieldsOf(action), contact) : refuse.notFound()),
  },
})
