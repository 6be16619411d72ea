import { gatewayAccounts } from '../../../domain/payments/gateway-account/rules.ts'
import { ask, given } from '../../support/decider.ts'

const key = { sealed: 'text', last4: 'cdef' }
const opened = (data: object) => ({
  type: 'GatewayAccountOpened',
  data: { name: 'Main', live_mode: false, secret_key: null, webhook_secret: null, publishable_key: null, ...data },
})

describe('an account with a gateway', () => {
  const open = (wanted: object) => given(gatewayAccounts).when(ask('create', { name: 'Main', ...wanted }))

  it('needs a key, unless it is with the simulator, which has none and never is live', () => {
    open({ provider: 'stripe' }).refuses('invalid', "Secret key can't be blank")
    open({ provider: 'simulator', live_mode: true }).refuses('invalid', 'Live mode must be false for a simulator')
    open({ provider: 'simulator', secret_key: key }).refuses('invalid', 'Secret key must be blank for a simulator')
    open({ provider: 'simulator', webhook_secret: key }).refuses('invalid', /Webhook secret must be blank/)
  })

  it('with payments_ai says for which organization and website', () => {
    const there = { provider: 'payments_ai', secret_key: key }
    open(there).refuses('invalid', /External organization can't be blank, External website can't be blank/)
    open({ ...there, external_organization_id: 'org' }).refuses('invalid', "External website can't be blank")
  })

  it('keeps its provider, its mode, and a key', () => {
    const change = (wanted: object) =>
      given(gatewayAccounts, opened({ provider: 'stripe', secret_key: key })).when(ask('change', wanted))
    change({ provider: 'simulator', secret_key: null }).refuses('invalid', /^Provider cannot be changed/)
    change({ live_mode: true }).refuses('invalid', 'Live mode cannot be changed')
    change({ secret_key: null }).refuses('invalid', "Secret key can't be blank")
    change({ provider: 'stripe', live_mode: false }).thenNothing()
    change({ name: 'Second' }).then({ type: 'GatewayAccountRenamed', data: { name: 'Second' } })
    change({ webhook_secret: key }).then({
      type: 'GatewayAccountKeysReplaced',
      data: { secret_key: key, webhook_secret: key },
    })
  })
})
