import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import { resources } from '../../domain/index.ts'
import { readNames } from '../support/read-names.ts'
import { READ_BY_MADE_NAMES, UNREAD } from '../support/unread-settings.ts'

const SOURCES = path.join(import.meta.dirname, '../../..')

/** Attributes that clients send, by the record that has them. */
const settings = (): readonly (readonly [of: string, name: string])[] =>
  resources.flatMap(({ name: of, aggregate: { model } }) =>
    [model, ...Object.values(model.children).map((child) => child.model)]
      .filter(({ name }) => name === of)
      .flatMap(({ attributes }) =>
        Object.entries(attributes).flatMap(([name, { role }]): [string, string][] =>
          role === 'managed' ? [] : [[of, name]],
        ),
      ),
  )

describe('settings that clients store', () => {
  it('are read by code, or declared with the reason why they are not', () => {
    const read = readNames()
    const unread = settings().flatMap(([of, name]) => (read.has(name) ? [] : [`${of}.${name}`]))
    expect(unread.toSorted()).to.deep.equal([...Object.keys(UNREAD), ...Object.keys(READ_BY_MADE_NAMES)].toSorted())
    for (const reason of Object.values(UNREAD)) expect(reason).to.have.length.greaterThan(20)
    for (const file of Object.values(READ_BY_MADE_NAMES))
      expect(existsSync(path.join(SOURCES, file)), file).to.equal(true)
  })
})
