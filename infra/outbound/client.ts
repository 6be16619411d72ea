import type { Agent } from 'undici'
import type { Outbound, OutboundResult } from '../../domain/kernel/ports/outbound.ts'
import type { addressObjection } from './address.ts'
import { type Exchanged, type ExchangeLimits, exchange, headerOf } from './exchange.ts'
import { fetchFile } from './fetch-file.ts'
import { type Resolve, resolvePublic } from './resolve.ts'
import { type TargetPolicy, targetObjection } from './target.ts'

export interface OutboundOptions {
  readonly allowPrivate: boolean
  readonly limits?: Partial<ExchangeLimits>
  /** Resolves host names; default: by the name servers of this machine. */
  readonly resolve?: Resolve
  /** Returns why a resolved address may not be called; default: only public ones may. */
  readonly objectionTo?: typeof addressObjection
}

/** The outbound port, and the exception that the operator of this machine can make. */
export interface OutboundClient extends Outbound {
  /** Allows an origin although it is local, until the returned function is called. */
  exempt(origin: string): () => void
}

const LIMITS: ExchangeLimits = { timeoutMs: 15_000, maxAnswerBytes: 65_536, keptBytes: 1024 }

const resultOf = (exchanged: Exchanged): OutboundResult => {
  if (exchanged.kind !== 'answered') return exchanged
  const { status, headers, body } = exchanged
  // The answer was cut between bytes: those of a character that is not whole are left out.
  const excerpt = new TextDecoder('utf-8', { ignoreBOM: true })
    .decode(body, { stream: true })
    .replaceAll('\u0000', '\ufffd')
  return { kind: 'answered', status, retryAfter: headerOf(headers, 'retry-after'), excerpt }
}

/** Creates a client for requests whose target users choose. It keeps connections alive between requests to one origin. */
export const outboundClient = ({
  allowPrivate,
  limits,
  resolve = resolvePublic(),
  objectionTo,
}: OutboundOptions): OutboundClient => {
  const exempt = new Set<string>()
  const policy: TargetPolicy = { allowPrivate, exempt }
  const bounds = { ...LIMITS, ...limits }
  let opening: Promise<Agent> | undefined
  const agent = () => {
    opening ??= import('./agent.ts').then(({ agentOf }) => agentOf(policy, resolve, objectionTo))
    return opening
  }
  return {
    objection: (url) => targetObjection(url, policy),
    async post({ url, headers, body }) {
      const objection = targetObjection(url, policy)
      if (objection) return { kind: 'refused', reason: objection }
      const { origin, pathname, search } = new URL(url)
      return resultOf(
        await exchange(await agent(), { origin, path: pathname + search, method: 'POST', headers, body }, bounds),
      )
    },
    get: async (request) => fetchFile(await agent(), policy, bounds.timeoutMs, request),
    exempt(origin) {
      exempt.add(origin)
      return () => exempt.delete(origin)
    },
    close: async () => (await opening)?.destroy(),
  }
}
