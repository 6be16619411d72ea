import { expect } from 'chai'
import { pageOf } from '../../../api/sdk/page-of.ts'
import type { SdkService } from '../../../api/sdk/service.ts'
import { submissions } from '../../../api/sdk/submit.ts'
import { visitorsOf } from '../../../api/sdk/visitor.ts'
import { readPageForm } from '../../../domain/forms/public.ts'
import type { Engine } from '../../../domain/kernel/engine/engine.ts'
import { createLogger } from '../../../infra/runtime/logger.ts'
import { ok } from '../../support/client.ts'
import { callOf, random, type SdkPage, sdkFunnel, visit } from '../../support/sdk-pages.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

/** Ends a request as a kill does, behind a write that has reached the log. */
class Killed extends Error {}

describe('a form whose process is killed', () => {
  let service: TestService
  let tenant: Tenant
  let page: SdkPage

  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    const { pages } = await sdkFunnel(tenant, ['https://killed.example/a', 'https://killed.example/b'])
    page = pages[0]!
  })

  /** Dependencies of pages whose process dies behind a number of writes. */
  const dyingAfter = (writes: number): SdkService => {
    const { core, stores } = service.background
    let left = writes
    const transact: Engine['transact'] = async (transaction) => {
      const result = await core.engine.transact(transaction)
      left -= 1
      if (left === 0) throw new Killed()
      return result
    }
    const { log, vault, publicIds, secrets, readModels } = stores
    return {
      ...{ ...core, log, vault, publicIds, secrets, everywhere: readModels.live, progress: service.background },
      engine: { ...core.engine, transact },
      logger: createLogger('fatal'),
      sdkUrl: () => service.sdkUrl,
      pages: (_, make) => make(),
      beginnings: (_, make) => make(),
    }
  }

  it('is recorded once when the browser sends it again, whatever had been written', async () => {
    let deaths = 0
    for (let writes = 1; writes < 12; writes++) {
      const { session } = (await callOf(service)('/visits', page, visit())).body
      const email = `${random().toLowerCase()}@killed.test`
      const form = readPageForm([
        ['email', email],
        [`custom-attribute:key ${random()}`, 'v'],
      ])
      const nonce = random()
      const send = async (from: SdkService) => {
        const visitors = visitorsOf(from)
        const found = await pageOf(from, { token: page.token, url: page.url, origin: null })
        const sessionId = visitors.idIn(session, found)!
        const request = { ip: '127.0.0.1', userAgent: 'x', requestId: random() }
        return submissions(from, visitors)({ found, nonce, sessionId, secret: session, form, ...request })
      }
      const died = await send(dyingAfter(writes)).then(
        () => false,
        (error: unknown) => error instanceof Killed,
      )
      if (died) deaths++
      const again = await send(dyingAfter(Number.POSITIVE_INFINITY))
      expect(await send(dyingAfter(Number.POSITIVE_INFINITY))).to.equal(again)
      await service.caughtUp()
      const contacts = ok(
        await tenant.api.get(
          `/workspaces/${tenant.workspaceId}/contacts?filter[email_address]=${encodeURIComponent(email)}`,
        ),
      ) as unknown as { readonly id: number }[]
      expect(contacts).to.have.length(1)
      const query = `?filter[contact_id]=${contacts[0]!.id}`
      const made = ok(await tenant.api.get(`/workspaces/${tenant.workspaceId}/form_submissions${query}`))
      expect(made, `after ${writes} writes`).to.have.length(1)
      const [known] = await service.background.stores.readModels.live.find('visits/session', {
        where: { contact_id: contacts[0]!.id },
      })
      expect(known?.contact_id).to.equal(contacts[0]!.id)
    }
    expect(deaths).to.be.above(2)
  }).timeout(30_000)
})
