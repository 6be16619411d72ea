import { expect } from 'chai'
import { resources } from '../../domain/index.ts'
import type { Fragment } from '../../projections/fragments.ts'
import { createResponseCache } from '../../projections/response-cache.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { variedTraffic } from '../support/traffic/traffic.ts'
import { byForm } from './form.ts'

const NOTHING: ReadonlySet<string> = new Set()
/** Everything is read again after this number of changes. */
const CHANGES = byForm(80, 1)

/** Returns an answer without what says until when its links work: that follows from the second in which they are made. */
const unsigned = (answer: Fragment | undefined): string =>
  JSON.stringify(answer ?? null).replace(/(expires|signature)=[\w-]+/g, '$1=')

describe('cached answers', () => {
  let service: TestService
  before(async () => {
    service = await startTestService()
  })

  it('equal newly built ones, while all records are read repeatedly and changed', async () => {
    const { core, stores } = service.background
    const { live } = stores.readModels
    const anew = createResponseCache({ ...core, everywhere: live, vault: stores.vault, memory: 0 })
    const askedFor = async (compare: boolean): Promise<number> => {
      let asked = 0
      for (const resource of resources) {
        for (const seesPersonalData of [true, false]) {
          for (let id = 1; id <= 40; id++) {
            const form = { expand: NOTHING, seesPersonalData }
            const kept = await core.responseCache.one(resource, id, form)
            if (compare) expect(unsigned(kept)).to.equal(unsigned(await anew.one(resource, id, form)))
            if (kept) asked++
          }
        }
      }
      return asked
    }
    let isOver = false
    const asking = (async () => {
      for (let at = Number.NEGATIVE_INFINITY; !isOver; await new Promise((go) => setTimeout(go, 1))) {
        const { position } = service.background
        if (position < at + CHANGES) continue
        await askedFor(false)
        at = position
      }
    })()
    await variedTraffic(service)
    isOver = true
    await asking
    expect(await askedFor(true)).to.be.greaterThan(50)
  }).timeout(120_000)
})
