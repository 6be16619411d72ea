import { expect } from 'chai'
import { unknownColumns } from '../../domain/contacts/columns.ts'
import { exportAction } from '../../domain/contacts/export-action.ts'
import { readerOver } from '../../domain/kernel/decide/rules.ts'
import type { Document, Query } from '../../domain/kernel/ports/read-models.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { Work } from '../../domain/resources/jobs/job.ts'
import { AT } from '../support/decider.ts'
import { unbound } from '../support/unbound.ts'

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

  const row = (action: Document, of: Document) => file.row(action, of, of)

  it('show a contact as its endpoint does, and custom attributes by their keys', () => {
    const fields = ['first_name', 'phone_number', 'tag_ids', 'is_active', 'anonymous', 'source_platform', 'empty']
    expect(row(job(...fields), ada)).to.deep.equal(['Ada', null, [3, 4], true, 0, 'web', ''])
    expect(row(job('constructor', 'plan', 'id'), ada)).to.deep.equal([null, null, 7])
  })

  it('show nothing of deleted or erased contacts', () => {
    for (const ending of [{ deleted_at: AT }, { redacted_email: 'redacted-1@example.com', personal: null }])
      expect(row(job('id'), { ...ada, ...ending })).to.be.instanceOf(Refusal)
  })

  it('are searched in one walk over the contacts, which ends when all are found', async () => {
    const others = Array.from({ length: 250 }, (_, index) => ({ id: index + 8, custom_attributes: {} }))
    const last = { id: 300, custom_attributes: { rare: 'x' } }
    const all = [ada, ...others, last]
    const asked: Query[] = []
    const documents = {
      get: () => undefined,
      getMany: () => [],
      find: (_collection: string, query: Query) => {
        asked.push(query)
        return all.filter(({ id }) => id > Number(query.after ?? 0)).slice(0, query.limit)
      },
    }
    const unknown = (...fields: string[]) => unknownColumns(fields, 5, readerOver(unbound(documents)))
    expect(await unknown('id', 'source_platform', 'empty')).to.deep.equal([])
    expect(asked.length).to.equal(1)
    expect(asked[0]?.where.workspace_id).to.equal(5)
    expect(await unknown('rare', 'nowhere', 'Not A Key', '')).to.deep.equal(['nowhere', 'Not A Key', ''])
    expect(asked.length).to.equal(4)
    expect(await unknown('id', 'Not A Key')).to.deep.equal(['Not A Key'])
    expect(asked.length).to.equal(4)
  })
})
