import type { ParsedUrlQuery } from 'node:querystring'
import { setTimeout as wait } from 'node:timers/promises'
import { type Listener, startListener } from '../operator/listeners.ts'
import type { Background } from '../runtime/background.ts'

const BEAT_MS = 500

const text = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '')

async function* beatsOf(listener: Listener): AsyncGenerator<string> {
  try {
    const { endpointId, signingSecret } = listener
    yield `${JSON.stringify({ endpoint_id: endpointId, signing_secret: signingSecret })}\n`
    // Without these lines, a reader that has gone would not be noticed.
    for (;;) {
      await wait(BEAT_MS)
      yield '{}\n'
    }
  } finally {
    await listener.stop()
  }
}

/**
 * Keeps a developer's endpoint for as long as these lines are read. The first line has its secret.
 *
 * @throws {Refusal} for an unknown workspace or event type
 */
export const listeningLines = async (background: Background, query: ParsedUrlQuery): Promise<AsyncIterable<string>> => {
  const types = text(query.types)
    .split(',')
    .filter((type) => type !== '')
  const workspaceId = Number(text(query.workspace_id))
  return beatsOf(await startListener(background, { workspaceId, url: text(query.url), types }))
}
