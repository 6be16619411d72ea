import { credentials } from '../../domain/account/public.ts'
import { type Ask, ask } from '../../domain/kernel/decide/ask.ts'
import type { Outcome } from '../../domain/kernel/engine/transaction.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { carryOutFor } from '../commands.ts'
import type { AccountRequest } from './request.ts'
import { tellOf } from './tell-owner.ts'

const ACTOR = { label: 'user' }

/** Team that a command is about, and who asks for it as its member. */
export interface TeamScope {
  readonly teamId: number
  readonly membershipId?: number
}

/** Carries out a command that a user asks for, and waits until the next page can show it. */
export const carryOut = async (
  { ctx, service, at }: Pick<AccountRequest, 'ctx' | 'service' | 'at'>,
  asked: Ask,
  { teamId, membershipId }: Partial<TeamScope> = {},
): Promise<Pick<Outcome, 'events'> | Refusal> => {
  const actor = { ...ACTOR, ...(membershipId !== undefined && { membershipId }) }
  const result = await carryOutFor(service)({ actor, at, cause: ctx.state.requestId, teamId }, asked)
  if (result instanceof Refusal) return result
  const events = 'events' in result ? result.events : []
  if (asked.id !== 'new') tellOf(service, asked.id, events)
  return { events }
}

/** Opens the credentials of a user, unless they are. */
export const openCredentials = async (
  request: Pick<AccountRequest, 'ctx' | 'service' | 'at'>,
  userId: number,
): Promise<void> => {
  const opened = await carryOut(request, ask(credentials, userId, 'create', { user_id: userId }, { isNew: true }))
  if (opened instanceof Refusal) throw opened
}
