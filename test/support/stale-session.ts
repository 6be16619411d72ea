import { newSession } from '../../api/accounts/signed-in.ts'
import { credentials } from '../../domain/account/public.ts'
import { type Ask, ask, stampCommand } from '../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { TestService } from './service.ts'

/** Signs in a user who has no credentials yet, some minutes ago. @returns what the browser keeps */
export const signedInAgo = async (service: TestService, userId: number, minutes: number): Promise<string> => {
  const { engine } = service.background.core
  const at = new Date(Date.now() - minutes * 60_000).toISOString()
  const { cookie, digest } = newSession(userId)
  const carryOut = async (asked: Ask) => {
    const stamp = stampCommand(asked, { at, actor: { label: 'test' } }, userId)
    const isNew = asked.isNew === true
    const result = await engine.transact({ ...stamp, causationId: 'test', correlationId: 'test', isNew })
    if (result instanceof Refusal) throw result
  }
  await carryOut(ask(credentials, userId, 'create', { user_id: userId }, { isNew: true }))
  await carryOut(ask(credentials, userId, 'signIn', { digest, generation: 0, number: null }))
  await service.caughtUp()
  return cookie
}
