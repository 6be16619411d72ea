import { expect } from 'chai'
import { platformApplication } from '../../../domain/account/platform/application/model.ts'
import { connection } from '../../../domain/account/platform/connection/model.ts'
import { connectionsNeedBothEnds, keysEndWithSecret } from '../../../domain/account/platform/policies.ts'
import type { FactReader } from '../../../domain/kernel/decide/command.ts'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { AT } from '../../support/decider.ts'
import { unbound } from '../../support/unbound.ts'

const { event } = connection

describe('a connection that is made while one of its ends goes', () => {
  const made = {
    ...event.PlatformApplicationConnected({
      platform_application_id: 3,
      user_id: 4,
      membership_id: 5,
      scopes: ['read'],
    }),
    stream: 'platform_application/connection-21',
    metadata: { at: AT, team_id: 2, workspace_id: 7 },
  } as unknown as RecordedEvent

  const documentsOf = (...collections: readonly string[]): FactReader =>
    unbound({
      get: (collection, id) => (collections.includes(collection) ? { id: Number(id) } : undefined),
      getMany: () => [],
      find: () => [],
    })

  it('ends, as an event of its workspace', async () => {
    for (const left of ['platform_application', 'membership']) {
      const [asked, ...others] = await connectionsNeedBothEnds.react(made, documentsOf(left), () => 0)
      expect(asked).to.deep.include({ id: 21, of: { teamId: 2, workspaceId: 7 } })
      expect(asked).to.have.nested.property('command.type', 'remove')
      expect(others).to.deep.equal([])
    }
  })

  it('stays where both are there', async () => {
    const both = documentsOf('platform_application', 'membership')
    expect(await connectionsNeedBothEnds.react(made, both, () => 0)).to.deep.equal([])
  })
})

describe('a secret that is replaced', () => {
  it('ends the keys that were got by it, and none of the next one', async () => {
    const rotated = {
      ...platformApplication.event.PlatformApplicationSecretRotated({ secret_nonce: 'n' }),
      stream: 'platform_application-3',
      metadata: { at: AT },
    } as unknown as RecordedEvent
    const [batch] = await keysEndWithSecret.react(
      rotated,
      unbound({ get: () => undefined, getMany: () => [], find: () => [] }),
      () => 0,
    )
    const where = { platform_application_id: 3, hash: { $ne: null }, created_at: { $lte: AT } }
    expect(batch).to.deep.include({ each: 'api_key', where })
  })
})
