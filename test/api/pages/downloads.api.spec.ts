import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { startTestService, type Tenant } from '../../support/service.ts'

describe('downloads', () => {
  let tenant: Tenant
  let server: Server
  let origin: string
  before(async () => {
    const service = await startTestService()
    tenant = await service.tenant()
    server = createServer(({ url }, response) => {
      if (url === '/large') response.end(Buffer.alloc(51 * 1024 * 1024))
      else if (url?.startsWith('/gone')) response.writeHead(404).end('no')
      else response.end(`file at ${url}`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    service.background.outbound.exempt(origin)
  })
  after(() => server.close())

  const path = () => `/workspaces/${tenant.workspaceId}/downloads`
  const make = (at: string, fields: object = {}) =>
    tenant.api.post(path(), { download: { upload_source_url: origin + at, ...fields } })

  it('are files of the workspace, served unchanged to anyone with the link', async () => {
    const made = ok(await make('/caf%C3%A9%20%22list%22.pdf'))
    expect(made).to.include({ name: 'café list.pdf', file_name: 'café list.pdf', file_size: 35 })
    expect(made.asset_id).to.be.a('number')
    const answer = await fetch(made.file_url)
    expect(await answer.text()).to.equal('file at /caf%C3%A9%20%22list%22.pdf')
    expect(answer.headers.get('content-disposition')).to.equal(
      `attachment; filename="caf_ list.pdf"; filename*=UTF-8''caf%C3%A9%20list.pdf`,
    )
    expect(answer.headers.get('content-type')).to.equal('application/octet-stream')
    expect(answer.headers.get('x-content-type-options')).to.equal('nosniff')
    const bent = (_: string, first: string) => `signature=${first === 'A' ? 'B' : 'A'}`
    expect((await fetch(made.file_url.replace(/signature=(.)/, bent))).status).to.equal(403)
  })

  it('are replaced by another file, under the same asset, and renamed', async () => {
    const { id, asset_id, file_url } = ok(await make('/first.txt', { name: 'The book' }))
    const fields = { upload_source_url: `${origin}/second.txt` }
    const replaced = ok(await tenant.api.put(`/downloads/${id}`, { download: fields }))
    expect(replaced).to.include({ asset_id, name: 'The book', file_name: 'second.txt' })
    for (const url of [file_url, replaced.file_url])
      expect(await (await fetch(url)).text()).to.equal('file at /second.txt')
    const renamed = ok(await tenant.api.put(`/downloads/${id}`, { download: { name: 'Another' } }))
    expect(renamed).to.include({ name: 'Another', file_name: 'second.txt' })
  })

  it('are refused when they cannot be fetched, or are too large', async () => {
    for (const at of ['/gone', '/large']) {
      const { status, body } = await make(at)
      expect([status, body.details[0].field], at).to.deep.equal([422, 'download.upload_source_url'])
    }
    expect(ok(await tenant.api.get(path())).some((one: { name: string }) => one.name === 'gone')).to.equal(false)
  })

  it('are granted by variants, under the id of their asset', async () => {
    const { id, asset_id } = ok(await make('/course.zip'))
    const product = { name: 'Course' }
    const { default_variant_id } = ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/products`, { product }))
    const grant = (one: number) =>
      tenant.api.put(`/products/variants/${default_variant_id}`, { products_variant: { asset_ids: [one] } })
    expect(ok(await grant(asset_id)).asset_ids).to.deep.equal([asset_id])
    expect(id).to.not.equal(asset_id)
    expect((await grant(2_000_000_000)).status).to.equal(422)
  })
})
