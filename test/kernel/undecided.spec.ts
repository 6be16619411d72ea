import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Append, Claim, EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Refusal } from '../../domain/kernel/values/refusal.ts'
import { withOwn } from '../support/with-own.ts'
import { installation, orders, WORKSPACE } from './family.ts'

const ONCE = { key: 'cause:1' }

/** A log on which another writer has reserved a key; its append may still follow, or never. */
const reserved = (key: string, append: (request: Append, claim: Claim) => ReturnType<EventLog['append']>) => {
  const claim: Claim = { key, stream: 'test/order-99', revision: 0, undecided: true }
  return (log: EventLog): EventLog =>
    withOwn(log, {
      claimed: async (asked) => (asked === key ? claim : log.claimed(asked)),
      append: (request) => append(request, claim),
    })
}

const place = (id: number) => ({
  aggregate: orders,
  id,
  command: {
    type: 'create',
    id,
    wanted: { contact_id: 1, title: 'First' },
    workspaceId: WORKSPACE,
    at: '2026-03-01T09:00:00.000Z',
    actor: { label: 'test' },
  },
  isNew: true,
  workspaceId: WORKSPACE,
  causationId: randomUUID(),
  correlationId: 'c',
})

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error as Refusal).kind,
  )

describe('a key that another write has reserved but not decided', () => {
  it('is neither taken nor free: writes that depend on it are retried', async () => {
    const { engine, events } = await installation(
      reserved(ONCE.key, async (_, claim) => ({ ok: false, conflict: 'claim', claim })),
    )
    expect(await refusalOf(engine.transact({ ...place(1), once: ONCE }))).to.equal('unavailable')
    expect(await events()).to.deep.equal([])
  })

  it('does not count as the name of another record either', async () => {
    const { engine } = await installation(
      reserved(ONCE.key, async ({ take }, claim) => ({
        ok: false,
        conflict: 'claim',
        claim: { ...claim, key: take![0]!.key },
      })),
    )
    expect(await refusalOf(engine.transact(place(1)))).to.equal('unavailable')
  })
})
