import { hash, randomBytes } from 'node:crypto'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import type { Agent } from '../agent.ts'
import type { Answer } from './answer.ts'

/** Kind of the records of answers that are kept. */
const ANSWERS = 'agents/answer'

/** What answers are sealed for. */
const SEALED = ['agents', 'answers'] as const

const KEPT_MS = 10 * 60_000

/** Returns where an answer is kept. Other users and programs look elsewhere, so they never find it. */
const placeOf = ({ access }: Agent, name: string) => ({
  kind: ANSWERS,
  key: hash('sha256', JSON.stringify([access.userId, access.clientId, access.workspaceId, name]), 'base64url'),
})

/** Keeps an answer for ten minutes, sealed. */
export const keep = (agent: Agent, name: string, answer: Answer): Promise<void> => {
  const { says, data, isError = false } = answer
  const sealed = agent.service.secrets.seal(...SEALED, { says, isError, ...(data !== undefined && { data }) })
  return agent.service.shortTerm.put(placeOf(agent, name), { data: { sealed }, until: agent.service.now() + KEPT_MS })
}

const RUNNING: Answer = { says: { status: 'running' } }

/** Returns an answer that was kept; `undefined` when there is none. */
export const kept = async (agent: Agent, name: string): Promise<Answer | undefined> => {
  const found = await agent.service.shortTerm.get(placeOf(agent, name), agent.service.now())
  if (!found) return undefined
  if (typeof found.sealed !== 'string') return RUNNING
  const { says, data, isError } = agent.service.secrets.open(...SEALED, found.sealed)
  return { says: (says ?? {}) as JsonObject, data, isError: isError === true }
}

const LATER = 'This takes longer. Ask for its answer with result_of_call and this handle, for ten minutes.'

/**
 * Waits for an answer. One that takes too long is kept under a handle, by which it can be asked for.
 *
 * @param spentMs time that the call has taken already
 */
export const withinTime = async (agent: Agent, work: Promise<Answer>, spentMs = 0): Promise<Answer> => {
  const { service } = agent
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<undefined>((go) => {
    timer = setTimeout(go, Math.max(service.patienceMs - spentMs, 0), undefined)
  })
  const answer = await Promise.race([work, tooLong]).finally(() => clearTimeout(timer))
  if (answer) return answer
  const handle = randomBytes(12).toString('base64url')
  await service.shortTerm.put(placeOf(agent, handle), { data: {}, until: service.now() + KEPT_MS })
  work
    .then((late) => keep(agent, handle, late))
    .catch((error: unknown) => service.logger.error({ err: error }, 'the late answer to an agent could not be kept'))
  return { says: { status: 'running', handle, note: LATER } }
}
