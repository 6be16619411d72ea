import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import sharp from 'sharp'
import { startTestService, type Tenant } from '../../support/service.ts'

const MOST = 2000

describe('the source of an image or a download', () => {
  let tenant: Tenant
  let server: Server
  let origin: string
  before(async () => {
    const service = await startTestService()
    tenant = await service.tenant()
    const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'blue' } })
      .png()
      .toBuffer()
    server = createServer((_request, response) => response.end(picture))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    service.background.outbound.exempt(origin)
  })
  after(() => server.close())

  const urlOf = (length: number) => `${origin}/signed.png?signature=`.padEnd(length, 'x')

  for (const [root, collection] of [
    ['image', 'images'],
    ['download', 'downloads'],
  ] as const)
    it(`is an address of up to ${MOST} characters: ${root}`, async () => {
      const path = `/workspaces/${tenant.workspaceId}/${collection}`
      const sent = (length: number) => ({ [root]: { upload_source_url: urlOf(length) } })
      const made = await tenant.api.post(path, sent(MOST))
      expect(made.status, made.body.error).to.equal(201)
      const member = `/${collection}/${made.body.id}`
      expect((await tenant.api.put(member, sent(MOST))).status).to.equal(200)
      for (const { status, body } of [
        await tenant.api.post(path, sent(MOST + 1)),
        await tenant.api.put(member, sent(MOST + 1)),
      ])
        expect([status, body.details[0].field, body.details[0].code]).to.deep.equal([
          422,
          `${root}.upload_source_url`,
          'too_long',
        ])
    })
})
