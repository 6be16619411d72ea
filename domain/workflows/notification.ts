import { managed } from '../kernel/model/field.ts'
import { longText, reference } from '../kernel/model/fields.ts'
import { idFilter, list, show, workspace } from '../resources/operations.ts'
import { record } from '../resources/record.ts'

const beyondContract = true

/** Notification: what a step of a workflow says to a user of the team about a contact. Its text is sealed under the contact. */
export const notification = record({
  name: 'workflows/notification',
  title: 'Workflows::Notification',
  root: 'workflows_notification',
  category: 'workflows',
  under: workspace,
  person: 'contact_id',
  attributes: {
    user_id: managed(reference('user', { required: true })),
    contact_id: managed(reference('contact', { required: true, onTargetEnd: 'keep' })),
    workflow_id: managed(reference('workflow', { required: true, onTargetEnd: 'keep' })),
    message: managed(longText({ nullable: true, personal: true })),
  },
  events: { UserNotified: { creates: true } },
  indexes: [{ fields: ['workspace_id', 'user_id'] }],
  operations: {
    listWorkflowNotifications: list('/workspaces/{workspace_id}/workflows/notifications', {
      beyondContract,
      filters: { user_id: idFilter('user_id') },
    }),
    getWorkflowNotification: show('/workflows/notifications/{id}', { beyondContract }),
  },
  publishes: {
    '$workflow.notification': { on: ['UserNotified'], about: 'A step of a workflow notified a user of the team.' },
  },
})
