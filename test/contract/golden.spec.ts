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

  it('public keys, to which webhook endpoints are subscribed', () => {
    const lines = resources.flatMap(({ name, publishes }) =>
      Object.entries(publishes ?? {}).map(([key, { on, alias }]) =>
        [key, name, ...on, ...(alias ? [`alias ${alias}`] : [])].join(' '),
      ),
    )
    expectGolden('public-keys.txt', lines.sort())
  })
})
