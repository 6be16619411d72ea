import { expect } from 'chai'
import { backOff, type FollowDeps, follow } from '../../sdk/checkout/follow.ts'

const begin = (answers: readonly object[], more: Partial<FollowDeps> = {}) => {
  const log: string[] = []
  const left = [...answers]
  const next = (name: string) => async () => {
    log.push(name)
    return (left.shift() ?? { ok: true, status: 'paid', redirect: '/end' }) as never
  }
  const deps: FollowDeps = {
    ask: next('ask'),
    confirm: async (result) => next(`confirm ${result}`)(),
    authenticate: async (action) => {
      log.push(`bank ${Object.keys(action)}`)
      return 'approved'
    },
    wait: async () => undefined,
    checking: () => void (log.at(-1) !== 'checking' && log.push('checking')),
    signal: new AbortController().signal,
    ...more,
  }
  return { deps, log }
}

const pending = { ok: true, status: 'pending' } as const
const unreachable = { ok: false, error: { code: 'unreachable', message: 'No answer' } } as const

describe('following a charge', () => {
  it('59: leads on when the notification has come', async () => {
    const { deps, log } = begin([pending])
    expect(await follow(pending, deps)).to.deep.equal({ end: 'paid', redirect: '/end' })
    expect(log).to.deep.equal(['ask', 'checking', 'ask'])
  })

  it('57: in doubt it asks on and says that it is being checked, and nothing is released', async () => {
    const { deps, log } = begin([unreachable, pending, unreachable])
    expect(await follow(unreachable, deps)).to.deep.equal({ end: 'paid', redirect: '/end' })
    expect(log.filter((entry) => entry === 'ask')).to.have.length(4)
    expect(log).to.include('checking')
  })

  it('57: a request that never arrived is free again only after several answers that know nothing of it', async () => {
    const none = { ok: true, status: 'none' } as const
    const { deps, log } = begin([none, none, none, none, none, none])
    expect(await follow(unreachable, deps)).to.deep.equal({ end: 'unknown' })
    expect(log.filter((entry) => entry === 'ask')).to.have.length(5)
  })

  it('61: lets the buyer answer the bank and tells the server, until it has heard it', async () => {
    const { deps, log } = begin([unreachable, pending])
    const action = { ok: true, status: 'action', action: { simulated: true } } as const
    expect((await follow(action, deps)).end).to.equal('paid')
    expect(log.slice(0, 3)).to.deep.equal(['bank simulated', 'confirm approved', 'confirm approved'])
  })

  it('61: a cancelled question of the bank is a refusal with a reason', async () => {
    const errors = [
      { code: 'authentication_required', message: 'The bank did not confirm', source: 'gateway' },
    ] as const
    const { deps, log } = begin([{ ok: true, status: 'refused', errors }], { authenticate: async () => 'refused' })
    const outcome = await follow({ ok: true, status: 'action', action: { simulated: true } }, deps)
    expect(outcome).to.deep.equal({ end: 'refused', errors })
    expect(log).to.deep.equal(['confirm refused'])
  })

  it('where neither bank nor buyer has answered nothing is refused: it is asked how the charge stands', async () => {
    const { deps, log } = begin([], { authenticate: async () => 'unanswered' })
    const action = { ok: true, status: 'action', action: { client_secret: 's' } } as const
    expect((await follow(action, deps)).end).to.equal('paid')
    expect(log).to.deep.equal(['ask'])
  })

  it('a refusal without a reason gets one', async () => {
    const { deps } = begin([])
    const outcome = await follow({ ok: true, status: 'refused' }, deps)
    expect(outcome.end === 'refused' && outcome.errors[0]?.source).to.equal('gateway')
  })

  it('ends when the page token changes', async () => {
    const controller = new AbortController()
    const { deps } = begin([pending, pending, pending], { signal: controller.signal })
    const following = follow(pending, { ...deps, wait: async () => controller.abort() })
    expect(await following).to.deep.equal({ end: 'abandoned' })
  })

  it('asks less and less often', () => {
    expect([0, 1, 2, 50].map(backOff)).to.deep.equal([400, 600, 900, 8000])
  })
})
