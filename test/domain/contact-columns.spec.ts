import { expect } from 'chai'
import { unknownColumns } from '../../domain/contacts/columns.ts'
import { exportAction } from '../../domain/contacts/export-action.ts'
import { readerOver } from '../../domain/kernel/decide/rules.ts'
import type { Query } from '../../domain/kernel/ports/read-models.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { Work } from '../../domain/resources/jobs/job.ts'
import { AT } from '../support/decider.ts'

const { file } = exportAction as Extract<Work, { file: unknown }>
const ada = {
  id: 7,
  public_id: 'seven',
  identified: true,
  has_email: true,
  tag_ids: [3, 4],
  custom_attributes: { source_platform: 'web', empty: '' },
  personal: { first_name: 'Ada', email_address: 'ada@example.com', phone_number: null },
}
const job = (...fields: string[]) => ({ id: 1, fields })

describe('columns of an export of contacts', () => {
  it('are called as people call them', () => {
    expect(file.header(job('email_address', 'id', 'tag_ids', 'source_platform', 'plan'))).to.deep.equal([
      'Email address',
      'Id',
      'Tag ids',
      'Source Platform',
      'Plan',
    ])
  })

  it('show a contact as its endpoint does, and custom attributes by their keys', () => {
    const fields = ['first_name', 'phone_number', 'tag_ids', 'is_active', 'anonymous', 'source_platform', 'empty']
    expect(file.row(job(...fields), ada)).to.deep.equal(['Ada', null, [3, 4], true, 0, 'web', ''])
    expect(file.row(job('constructor', 'plan', 'id'), ada)).to.deep.equal([null, null, 7])
  })

  it('show nothing of deleted or erased contacts', () => {
    for (const ending of [{ deleted_at: AT }, { redacted_email: 'redacted-1@example.com', personal: null }])
      expect(file.row(job('id'), { ...ada, ...ending })).to.be.instanceOf(Refusal)
  })

  it('are searched once when a contact with one has the others as well', async () => {
    const asked: Query[] = []
    const documents = {
      get: () => undefined,
      getMany: () => [],
      find: (_collection: string, query: Query) => {
        asked.push(query)
        return 'custom_attributes.source_platform' in query.where ? [ada] : []
      },
    }
    const fields = ['id', 'source_platform', 'empty', 'nowhere', 'Not A Key', '']
    expect(await unknownColumns(fields, 5, readerOver(documents))).to.deep.equal(['nowhere', 'Not A Key', ''])
    expect(asked.map(({ where }) => [where.workspace_id, Object.keys(where).at(-1)])).to.deep.equal([
      [5, 'custom_attributes.source_platform'],
      [5, 'custom_attributes.nowhere'],
    ])
  })
})
