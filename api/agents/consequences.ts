import type { Route } from '../routes.ts'

/** Acts that cannot simply be taken back, or that reach many people, by the last word of their path; with what they do. */
const ACTS: Readonly<Record<string, string>> = {
  abandon: 'gives something up for good',
  archive: 'takes something off the market',
  ban_actions: 'bans many members',
  bans: 'bans a member',
  cancel: 'cancels something',
  checkouts: 'charges a buyer',
  decline: 'hides what a member wrote',
  decline_edit: 'drops what a member wrote',
  disable: 'stops something for everybody in it',
  enable: 'starts something that may write to many people',
  end_former_secrets: 'ends secrets that others may still use',
  enroll_actions: 'enrols many people',
  invoices: 'bills a buyer',
  perform: 'changes what a buyer pays',
  publish: 'shows something to everybody, who may be told of it by mail',
  publish_actions: 'shows something to everybody, who may be told of it by mail',
  redeliver: 'sends many events to other systems again',
  refund: 'gives money back',
  remove_from_group_actions: 'takes something from many members',
  add_to_group_actions: 'gives something to many members',
  resume: 'goes on with charges, refunds or mails to many people',
  rotate_dkim: 'changes the key that signs mails',
  rotate_secret: 'changes a secret that others use',
  run_workflow_actions: 'sends many people through a workflow',
  send_actions: 'sends mail to many people',
  tag_actions: 'changes the tags of many people',
  test_clock: 'lets everything happen that is due until then',
  unban_actions: 'lets many banned people in again',
  unsubscribe_actions: 'unsubscribes many people',
}

/**
 * Returns what an operation does that should not be done without a yes; `undefined` for one that may be. Derived from its method, its effects and
 * the word that its path ends with.
 */
export const consequenceOf = ({ operationId, method, path, operation }: Route): string | undefined => {
  if (operation.kind === 'write' && operation.effects?.includes('destroyKey')) return 'erases a person for good'
  if (method === 'DELETE') return 'removes or ends something'
  if (operationId === 'setWorkspacesAgents') return 'changes what agents may do by themselves'
  if (method !== 'POST') return undefined
  const last = path.split('/').at(-1) ?? ''
  return Object.hasOwn(ACTS, last) ? ACTS[last] : undefined
}
