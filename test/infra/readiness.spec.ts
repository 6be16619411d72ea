import { expect } from 'chai'
import { readinessOf } from '../../infra/runtime/readiness.ts'

describe('the readiness of a process', () => {
  it('asks its stores once for all who ask within a second', async () => {
    let probes = 0
    let away: readonly string[] = []
    const probe = async () => {
      probes++
    }
    const notReady = readinessOf({ probe, away: () => away }, () => false)
    expect(await Promise.all([notReady(), notReady(), notReady()])).to.deep.equal([undefined, undefined, undefined])
    away = ['the event log does not answer', 'the read models cannot be reached']
    expect(await notReady()).to.equal(away.join('; '))
    expect(probes).to.equal(1)
  })

  it('waits for the answers before it says that it is ready', async () => {
    let away: readonly string[] = []
    const probe = () =>
      new Promise<void>((resolve) =>
        setImmediate(() => {
          away = ['the event log does not answer']
          resolve()
        }),
      )
    expect(await readinessOf({ probe, away: () => away }, () => false)()).to.equal(away[0])
  })

  it('asks nothing where no store is on a server, and nothing while it stops', async () => {
    expect(await readinessOf({}, () => false)()).to.equal(undefined)
    const probe = () => Promise.reject(new Error('asked'))
    expect(await readinessOf({ probe }, () => true)()).to.equal('stopping')
  })
})
