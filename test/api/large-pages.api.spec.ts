import { expect } from 'chai'
import { recordMakers } from '../support/records.ts'
import { type Tenant, testService } from '../support/service.ts'

/** More than a page is put together of in one turn of the event loop. */
const LETTERS = 300_000

describe('a list page of large records', () => {
  let tenant: Tenant
  let path: string
  before(async () => {
    tenant = await (await testService()).tenant()
    path = `/workspaces/${tenant.workspaceId}/pages?expand[]=head_code`
    for (let n = 0; n < 4; n++) {
      const id = await recordMakers.page!.make(tenant)
      await tenant.api.put(`/pages/${id}`, { page: { head_code: `${n} é${'x'.repeat(LETTERS)}` } })
    }
  })

  it('is answered whole, each time', async () => {
    for (let time = 0; time < 3; time++) {
      const { status, body } = await tenant.api.get(path)
      expect(status).to.equal(200)
      const large = body.filter(({ head_code }: { head_code: string | null }) => head_code !== null)
      expect(large.map(({ head_code }: { head_code: string }) => head_code.slice(0, 3))).to.deep.equal([
        '0 é',
        '1 é',
        '2 é',
        '3 é',
      ])
      for (const { head_code } of large) expect(head_code).to.have.length(LETTERS + 3)
    }
  })

  it('may be left by its reader', async () => {
    const { url } = await testService()
    const headers = { Authorization: `Bearer ${tenant.token}` }
    for (let time = 0; time < 3; time++) {
      const leaving = new AbortController()
      const response = await fetch(`${url}/api/v2${path}`, { headers, signal: leaving.signal })
      await response.body!.getReader().read()
      leaving.abort()
    }
    expect((await tenant.api.get(path)).status).to.equal(200)
  })
})
