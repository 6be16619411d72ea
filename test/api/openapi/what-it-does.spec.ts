import { expect } from 'chai'
import { openapiOf } from '../../../api/openapi/document.ts'
import { routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'

interface Described {
  readonly operationId: string
  readonly 'x-act'?: string
  readonly 'x-consequence'?: string
  readonly 'x-consequence-of-fields'?: Readonly<Record<string, string>>
}

describe('what operations do, in the document', () => {
  const { paths } = openapiOf(routesOf(resources), resources) as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  }
  const all = Object.values(paths).flatMap((methods) => Object.entries(methods))
  const named = (id: string) => all.find(([, { operationId }]) => operationId === id)?.[1]

  it('is what agents ask by', () => {
    expect(named('removeEmailsAddresses')).to.include({ 'x-act': 'remove' })
    expect(named('createEmailsBroadcast')).to.deep.include({
      'x-act': 'create',
      'x-consequence-of-fields': { send_at: 'mails many people', send_immediately: 'mails many people' },
    })
  })

  it('is said of no reading, and of every removal', () => {
    const readings = all.filter(([method]) => method === 'get')
    expect(readings.filter(([, one]) => one['x-act'] || one['x-consequence'])).to.deep.equal([])
    const removals = all.filter(([method]) => method === 'delete')
    expect(removals.length).to.be.greaterThan(50)
    expect(removals.filter(([, one]) => !one['x-consequence'])).to.deep.equal([])
  })
})
