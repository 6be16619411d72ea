import { expect } from 'chai'
import { tokenKinds } from '../../api/bearer-tokens.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'

/** Documents as they are while no policy has run yet. */
const documents = (changed: Readonly<Record<string, object | undefined>>) => {
  const all: Readonly<Record<string, object | undefined>> = {
    'platform_application/connection': { id: 7, user_id: 2, membership_id: 3, platform_application_id: 4 },
    membership: { id: 3 },
    platform_application: { id: 4, secret_rotated_at: null },
    credentials: { id: 2, disconnected: [] },
    ...changed,
  }
  return { get: (collection: string) => all[collection] as Document | undefined }
}

const CONNECTED = { id: 9, kind: 'access', connection_id: 7, scopes: ['read'] } as unknown as Document
const KEY = {
  id: 5,
  platform_application_id: 4,
  created_at: '2026-01-02T00:00:00.000Z',
  scopes: [],
} as unknown as Document

describe('the door, while what clears ended access away has not run', () => {
  const holder = (token: string, held: Document, changed = {}) =>
    tokenKinds(documents(changed) as Parameters<typeof tokenKinds>[0])(token)?.holderOf(held)

  it('takes what still stands', async () => {
    expect(await holder('mrp_x', CONNECTED)).to.include({ id: 7 })
    expect(await holder('mr_x', KEY)).to.include({ id: 5 })
    expect(
      await holder('mr_x', KEY, { platform_application: { secret_rotated_at: '2026-01-01T00:00:00.000Z' } }),
    ).to.include({ id: 5 })
  })

  const ended: readonly (readonly [string, string, Document, object])[] = [
    [
      'a connection that ended with a new password',
      'mrp_x',
      CONNECTED,
      { credentials: { id: 2, disconnected: [1, 7] } },
    ],
    ['a connection whose membership is removed', 'mrp_x', CONNECTED, { membership: undefined }],
    ['a connection whose application is removed', 'mrp_x', CONNECTED, { platform_application: undefined }],
    ['a key whose application is removed', 'mr_x', KEY, { platform_application: undefined }],
    [
      'a key of the secret before',
      'mr_x',
      KEY,
      { platform_application: { secret_rotated_at: '2026-01-03T00:00:00.000Z' } },
    ],
  ]

  for (const [what, token, held, changed] of ended)
    it(`refuses ${what}`, async () => expect(await holder(token, held, changed)).to.equal(undefined))
})
