import { expect } from 'chai'
import { withinFlight } from '../../../api/handlers/in-flight.ts'
import type { ApiRequest } from '../../../api/handlers/request.ts'
import { openapiOf } from '../../../api/openapi/document.ts'
import { routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import { responseChecker } from '../../support/openapi.ts'

describe('an answer that so many of a token are under way', () => {
  it('is as the document says', async () => {
    const request = { caller: { tokenId: 1 }, requestId: 'one' } as unknown as ApiRequest
    let end = () => {}
    const first = withinFlight(1, request, undefined, async () => {
      await new Promise<void>((done) => {
        end = done
      })
      return { status: 200 }
    })
    const { status, body } = await withinFlight(1, request, undefined, async () => ({ status: 200 }))
    end()
    expect([status, (await first).status]).to.deep.equal([429, 200])
    const check = responseChecker(openapiOf(routesOf(resources), resources))
    expect(check('GET', '/workspaces/1/stats?resource=order', status, body)).to.equal(undefined)
  })
})
