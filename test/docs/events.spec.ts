import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import { openapiOf } from '../../api/openapi/document.ts'
import { eventsPage } from '../../api/openapi/events-page.ts'
import { routesOf } from '../../api/routes.ts'
import { resources } from '../../domain/index.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { eventTypesOf } from '../../domain/webhooks/catalog.ts'

const types = eventTypesOf(resources)

describe('what subscribers read', () => {
  it('is the page that follows from the declarations', () => {
    const written = readFileSync(path.join(import.meta.dirname, '../../../docs/events.md'), 'utf8')
    expect(written, 'docs/events.md is out of date: run npm run docs:events').to.equal(eventsPage(types))
  })

  it('is the same in the OpenAPI document, with a schema for every subject', () => {
    const document = openapiOf(routesOf(resources), resources) as Record<string, JsonObject>
    expect(Object.keys(document.webhooks!)).to.deep.equal(types.map(({ key }) => key))
    const schemas = Object.keys(document.components!.schemas as JsonObject)
    const refs = [...JSON.stringify(document.webhooks).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
      ([, name]) => name,
    )
    expect(refs).to.have.length(types.length)
    for (const name of refs) expect(schemas).to.include(name)
  })
})
