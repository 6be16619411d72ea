import { asks } from '../../resources/writes.ts'

/** Declares the acts by which posts or comments are moderated. @param what "post" or "comment" */
export const moderates = (path: string, what: string) => ({
  approve: asks(`${path}/approve`, 'approve', {
    consequence: 'shows what a member wrote to others, who may be told of it by mail',
    summary: `Approves a ${what}`,
  }),
  decline: asks(`${path}/decline`, 'decline', {
    consequence: 'hides what a member wrote',
    summary: `Hides a ${what}`,
  }),
  declineEdit: asks(`${path}/decline_edit`, 'declineEdit', {
    consequence: 'drops what a member wrote',
    summary: `Drops the edit of a ${what} that waits for approval`,
    beyondContract: true,
  }),
  dismissReports: asks(`${path}/dismiss_reports`, 'dismissReports', {
    consequence: 'drops what members reported',
    summary: `Dismisses the reports of a ${what}, and approves it`,
  }),
})
