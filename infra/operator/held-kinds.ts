/** What would send mail, besides mailings, and waits for the operator's word. */
export const HELD_KINDS = [
  'run',
  'broadcast',
  'workflow-action',
  'tag-action',
  'enroll-action',
  'publish-action',
] as const
export type HeldKind = (typeof HELD_KINDS)[number]
