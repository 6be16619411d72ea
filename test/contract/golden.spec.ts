import { routesOf } from '../../api/routes.ts'
import { resources } from '../../domain/index.ts'
import { aggregatesOf } from '../../domain/resources/resource.ts'
import { expectGolden } from '../support/golden.ts'

describe('the public interface matches its golden files', () => {
  it('routes, their operation ids and scopes', () => {
    const lines = routesOf(resources).flatMap(({ method, alsoMethods, path, operationId, category, level }) =>
      [method, ...alsoMethods].map((verb) => `${path} ${verb} ${operationId} ${category}:${level}`),
    )
    expectGolden('routes.txt', lines.sort())
  })

  it('event types, which are in logs for ever', () => {
    const lines = aggregatesOf(resources).flatMap(({ name, events }) =>
      Object.entries(events).map(([type, upcasts]) => `${name} ${type} v${upcasts.length + 1}`),
    )
    expectGolden('events.txt', lines.sort())
  })

  it('what writes do that agents ask about first, and the fields that nothing follows from', () => {
    const lines = routesOf(resources)
      .filter(({ level }) => level === 'write')
      .flatMap(({ operationId, operation }) => {
        const fields = Object.entries('body' in operation && operation.body ? operation.body.fields : {})
        const asking = fields.flatMap(([name, { consequence }]) =>
          consequence
            ? `${operationId}.${name}: ${consequence.says}${consequence.unless ? ` unless ${consequence.unless}` : ''}`
            : [],
        )
        const quiet = fields.flatMap(([name, { consequence }]) => (consequence ? [] : name))
        const own = operation.consequence ?? 'nothing by itself'
        return [
          `${operationId}: ${own}${operation.isUnseen ? ', unless nobody sees it yet' : ''}`,
          ...asking,
          ...(operation.consequence === null && quiet.length > 0 ? [`${operationId} quietly: ${quiet.join(' ')}`] : []),
        ]
      })
    expectGolden('consequences.txt', lines.sort())
  })

  it('public keys, to which webhook endpoints are subscribed', () => {
    const lines = resources.flatMap(({ name, publishes }) =>
      Object.entries(publishes ?? {}).map(([key, { on, alias }]) =>
        [key, name, ...on, ...(alias ? [`alias ${alias}`] : [])].join(' '),
      ),
    )
    expectGolden('public-keys.txt', lines.sort())
  })
})
