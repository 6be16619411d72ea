import { membership } from '../../domain/account/public.ts'
import { broadcast } from '../../domain/emails/broadcast/model.ts'
import { mailing as mailingModel } from '../../domain/emails/mailing/model.ts'
import { broadcastOfCause, runOfCause } from '../../domain/emails/mailing/purpose.ts'
import { isSenderKept, isStandardKind, settingsOf } from '../../domain/emails/public.ts'
import { run } from '../../domain/workflows/run/model.ts'
import { workflow } from '../../domain/workflows/workflow/model.ts'
import type { MailDeps } from './mail-deps.ts'
import type { Recipient } from './recipients.ts'
import type { Work } from './work.ts'

/** Whether mails of a mailing go at this moment, wait on, or go no more: canceled, or of a kind that its workspace has turned off. */
export type Standing = 'going' | 'held' | 'canceled' | 'turned_off'

type Live = Pick<MailDeps['live'], 'get'>

/** Returns how a broadcast stands. One that has begun cannot be deleted. */
const ofBroadcast = async (live: Live, id: number): Promise<Standing> => {
  const status = (await live.get(broadcast.name, id))?.status
  if (status === 'paused') return 'held'
  return status === 'canceled' ? 'canceled' : 'going'
}

/** Returns how a run stands. One that is over has its mails still, until its workflow is disabled. */
const ofRun = async (live: Live, id: number): Promise<Standing> => {
  const found = await live.get(run.name, id)
  const owner = found && (await live.get(workflow.name, Number(found.workflow_id)))
  const goesOn = found?.status !== 'canceled' && owner?.enabled === true && owner.enabling === found?.enabling
  return goesOn ? 'going' : 'canceled'
}

/** Returns how what a mailing follows from stands. */
const ofCause = async (live: Live, cause: string): Promise<Standing> => {
  const [broadcastId, runId] = [broadcastOfCause(cause), runOfCause(cause)]
  if (broadcastId !== undefined) return ofBroadcast(live, broadcastId)
  return runId === undefined ? 'going' : ofRun(live, runId)
}

type Of = Pick<Work['mailing'], 'id' | 'cause' | 'kind' | 'workspace_id' | 'sender'>

/** Whether a workspace sends no mails of a kind any more. */
const isTurnedOff = async (live: Live, { kind, workspace_id }: Of): Promise<boolean> =>
  isStandardKind(kind) && (await settingsOf(workspace_id, live)).owed_off.includes(kind)

export interface StandingDeps {
  readonly live: Pick<MailDeps['live'], 'get' | 'find'>
  readonly mail: Pick<MailDeps['mail'], 'sharedDomain'>
}

/**
 * Returns whether a mailing goes on, by its own record, by the settings of its workspace, by whether its sender is still there, and by the record of its broadcast
 * or run, whose mailings are held or canceled only after its answer.
 */
export const standingOf = async ({ live, mail }: StandingDeps, of: Of): Promise<Standing> => {
  const [one, standing, isOff, isKept] = await Promise.all([
    live.get(mailingModel.name, of.id),
    ofCause(live, of.cause),
    isTurnedOff(live, of),
    isSenderKept(of.workspace_id, of.sender, mail.sharedDomain, live),
  ])
  if (standing !== 'going') return standing
  // It gets another sender, or is held for want of one, when it is looked at again.
  if (one?.status === 'held' || !isKept) return 'held'
  return isOff ? 'turned_off' : 'going'
}

/** Returns a function that says whether a recipient is a user who is no member of the team any more, and may not see what its mail is about. */
export const formerMembers = async (
  live: Pick<MailDeps['live'], 'find'>,
  { team_id }: Work['workspace'],
  recipients: readonly Recipient[],
): Promise<(recipient: Recipient) => boolean> => {
  const ids = recipients.flatMap(({ user }) => user?.id ?? [])
  if (ids.length === 0) return () => false
  const found = await live.find(membership.name, { where: { team_id: Number(team_id), user_id: { $in: ids } } })
  const members = new Set(found.map(({ user_id }) => user_id))
  return ({ user }) => user !== undefined && !members.has(user.id)
}
