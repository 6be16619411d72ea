import { expect } from 'chai'
import { pino } from 'pino'
import { createAttempts, type Work } from '../../../workers/webhooks/attempt.ts'
import type { WebhookDeps } from '../../../workers/webhooks/webhook-deps.ts'

const event = {
  id: 1,
  uuid: 'u',
  event_type_id: '$contact.tag_applied',
  workspace_id: 7,
  page_id: null,
  funnel_id: null,
}
const work = { event, delivery: { id: 2, attempt_count: 0 }, position: 40 } as unknown as Work
const endpoint = { id: 3, url: 'https://hooks.example', secret: { current: 'n' }, team_id: 1 }
const attempting = { onAnswer: () => {}, isOver: () => false }

/** Attempts that only wait for documents, with a record of what they did. */
const withSeen = (seen: WebhookDeps['seen']) => {
  const did: string[] = []
  const parts = {
    seen,
    snapshot: async () => {
      did.push('looked')
      return { document: {}, data: { whole: true } }
    },
    outbound: { post: async ({ body }: { readonly body: string }) => did.push(`sent ${JSON.parse(body).data.whole}`) },
    secrets: { derive: () => Buffer.alloc(32), hex: () => 'x' },
    resources: new Map(),
    engine: { transact: async () => ({ events: [{ data: { retry_at: null } }], position: 41 }) },
    now: () => 0,
    logger: pino({ level: 'silent' }),
  } as unknown as WebhookDeps
  return { did, attempt: createAttempts(parts, new Map()) }
}

describe('an attempt of a webhook', () => {
  it('is made when documents have reached its event', async () => {
    let reach = () => {}
    const asked: number[] = []
    const { did, attempt } = withSeen(({ position }) => {
      asked.push(position)
      return new Promise((resolve) => (reach = resolve))
    })
    const made = attempt(work, endpoint as never, attempting)
    await new Promise((resolve) => setImmediate(resolve))
    expect([asked, did]).to.deep.equal([[40], []])
    reach()
    await made
    expect(did[0]).to.equal('looked')
  })

  it('does not count when the process ends before that: it is repeated', async () => {
    const { did, attempt } = withSeen(() => Promise.reject(new Error('documents are behind')))
    expect(await attempt(work, endpoint as never, attempting).catch(({ message }) => message)).to.equal(
      'documents are behind',
    )
    expect(did).to.deep.equal([])
  })
})
