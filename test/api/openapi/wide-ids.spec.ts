import { expect } from 'chai'
import { openapiOf } from '../../../api/openapi/document.ts'
import { withWideIds } from '../../../api/openapi/wide-ids.ts'
import { routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'

describe('ids in the OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(openapiOf(routesOf(resources), resources)))
  const propertiesOf = (schema: string) => document.components.schemas[`${schema}Attributes`].properties

  it('are int64 wherever they are whole numbers', () => {
    const wide = { type: 'integer', format: 'int64' }
    // Forms of the attributes of contacts, what a variant includes, and deliveries of events have ids beyond 32 bits.
    expect(propertiesOf('Form').id).to.deep.equal(wide)
    const { included_courses, included_space_groups } = propertiesOf('ProductsVariant')
    for (const { items } of [included_courses, included_space_groups]) expect(items.properties.id).to.deep.equal(wide)
    expect(included_courses.items.properties.included_section_ids.items).to.deep.equal(wide)
    expect(propertiesOf('WebhooksOutgoingEvent').deliveries.items.properties.id).to.deep.equal(wide)
    expect(propertiesOf('Contact').workspace_id).to.deep.equal(wide)
  })

  it('are said in each form, and nothing else is', () => {
    const integer = { type: 'integer' }
    const properties = {
      ...{
        id: integer,
        ids: integer,
        tag_ids: { type: 'array', items: integer },
        page_id: { anyOf: [integer, { type: 'null' }] },
      },
      ...{ count: integer, valid: integer, idea: integer, external_id: { type: 'string' } },
    }
    const wide = { type: 'integer', format: 'int64' }
    expect(withWideIds({ type: 'object', properties })).to.deep.equal({
      type: 'object',
      properties: {
        ...{
          id: wide,
          ids: wide,
          tag_ids: { type: 'array', items: wide },
          page_id: { anyOf: [wide, { type: 'null' }] },
        },
        ...{ count: integer, valid: integer, idea: integer, external_id: { type: 'string' } },
      },
    })
  })
})
