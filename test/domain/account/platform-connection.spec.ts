import { connections, MOST_TOKENS } from '../../../domain/account/platform/connection/rules.ts'
import { ask, given, WORKSPACE } from '../../support/decider.ts'

const wanted = { platform_application_id: 3, user_id: 4, membership_id: 5, scopes: ['read', 'contacts:read'] }
const facts = {
  application: { id: 3, team_id: 2, shared: false },
  workspace: { id: WORKSPACE, team_id: 2 },
  membership: { id: 5, user_id: 4, team_id: 2, platform_agent: false },
}

const connected = (scopes: readonly string[] = wanted.scopes) => ({
  type: 'PlatformApplicationConnected',
  data: { ...wanted, scopes },
})
const issued = (platform_token_id: number, kind = 'access', scopes: readonly string[] = ['contacts:read']) => ({
  type: 'PlatformTokenIssued',
  data: { platform_token_id, hash: `hash ${platform_token_id}`, kind, scopes },
})
const revoked = (platform_token_id: number) => ({ type: 'PlatformTokenRevoked', data: { platform_token_id } })
const issue = (id: number, kind = 'access', scopes: readonly string[] = ['contacts:read']) =>
  ask('create', { hash: `hash ${id}`, kind, scopes }, { child: 'tokens', id })
const reconnect = (scopes: readonly string[]) => ask('reconnect', { scopes })

describe('connection of a platform application', () => {
  it('is of a member of the team and one of its workspaces', () => {
    given(connections).when(ask('create', wanted), facts).then(connected())
    const others = [
      { membership: undefined },
      { membership: { ...facts.membership, user_id: 9 } },
      { membership: { ...facts.membership, team_id: 9 } },
      { membership: { ...facts.membership, platform_agent: true } },
      { workspace: { ...facts.workspace, team_id: 9 } },
      { workspace: undefined },
    ]
    for (const other of others)
      given(connections)
        .when(ask('create', wanted), { ...facts, ...other })
        .refuses('invalid', 'Membership must exist')
    given(connections)
      .when(ask('create', wanted), { ...facts, application: undefined })
      .refuses('invalid', 'Platform application must exist')
  })

  it('is only for the team of the application, unless that is shared', () => {
    const foreign = { ...facts.application, team_id: 8 }
    given(connections)
      .when(ask('create', wanted), { ...facts, application: foreign })
      .refuses('forbidden', 'this application is only for its own team')
    given(connections)
      .when(ask('create', wanted), { ...facts, application: { ...foreign, shared: true } })
      .then(connected())
  })

  it('takes the scopes of the contract, those that allow nothing among them, and no others', () => {
    const scopes = ['admin', 'delete', 'mcp', 'read']
    given(connections)
      .when(ask('create', { ...wanted, scopes }), facts)
      .then(connected(scopes))
    given(connections)
      .when(ask('create', { ...wanted, scopes: ['openid'] }), facts)
      .refuses('invalid', 'Scopes has an unknown one: openid')
    given(connections, connected())
      .when(reconnect(['everything']))
      .refuses('invalid', /unknown one: everything/)
  })

  it('has the scopes that the person agreed to last, and no token that allows more', () => {
    given(connections, connected(), issued(11, 'access', ['read', 'contacts:read']), issued(12))
      .when(reconnect(['contacts:read']))
      .then({ type: 'PlatformApplicationReconnected', data: { scopes: ['contacts:read'] } }, revoked(11))
    given(connections, connected()).when(reconnect(wanted.scopes)).thenNothing()
  })

  it('issues tokens that allow no more than it does, whatever `read` alone means', () => {
    given(connections, connected()).when(issue(11)).then(issued(11))
    const writing = connected(['contacts:write'])
    for (const scopes of [['read'], ['write'], ['sites:read'], ['contacts:write', 'read']])
      given(connections, writing)
        .when(issue(11, 'access', scopes))
        .refuses('invalid', 'Scopes allow more than the connection does')
    given(connections, writing).when(issue(11)).then(issued(11))
  })

  it('16 43: a further access token leaves the earlier ones valid, until they are too many', () => {
    const tokens = Array.from({ length: MOST_TOKENS }, (_, index) => issued(index + 100))
    const refresh = issued(99, 'refresh')
    given(connections, connected(), refresh, ...tokens.slice(1))
      .when(issue(500))
      .then(issued(500))
    given(connections, connected(), refresh, ...tokens)
      .when(issue(500))
      .then(issued(500), revoked(100))
    given(connections, connected(), refresh, ...tokens, issued(500), revoked(100))
      .when(issue(501))
      .then(issued(501), revoked(101))
  })

  it('ends with all of its tokens at once', () => {
    given(connections, connected(), issued(11), issued(12, 'refresh'), issued(13), revoked(11))
      .when(ask('remove'))
      .then({ type: 'PlatformApplicationDisconnected', data: { platform_token_ids: [12, 13] } })
    const ended = { type: 'PlatformApplicationDisconnected', data: { platform_token_ids: [] } }
    given(connections, connected(), ended).when(issue(11)).refuses('notFound', /./)
  })
})
