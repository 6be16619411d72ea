import { expect } from 'chai'
import { createLogger } from '../../infra/runtime/logger.ts'

describe('The log of the process', () => {
  const lineOf = (err: unknown): string => {
    const lines: string[] = []
    createLogger('info', { write: (line) => void lines.push(line) }).error({ err }, 'it failed')
    return lines.join('')
  }

  it('contains the stack of an error, and its cause', () => {
    const cause = Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' })
    const { err, msg } = JSON.parse(lineOf(new TypeError('cannot be written', { cause })))
    expect(msg).to.equal('it failed')
    expect(err).to.include({ type: 'TypeError', message: 'cannot be written' })
    expect(err.stack).to.include('logger.spec')
    expect(err.cause).to.include({ message: 'no connection', code: 'ECONNREFUSED' })
  })

  it('contains neither the properties that drivers add to errors, nor addresses in their messages', () => {
    const cause = Object.assign(new Error('Plan executor error for ada@example.com'), { op: { plan: 'gold-plan' } })
    const error = Object.assign(new Error('E11000 { _id: "grace@example.com" }', { cause }), {
      writeErrors: [{ op: { custom_attributes: { shoe: 'forty-one' } } }],
    })
    const line = lineOf(error)
    expect(line).to.include('E11000').and.include('Plan executor error for [address]')
    for (const hidden of ['@example.com', 'forty-one', 'gold-plan']) expect(line).not.to.include(hidden)
    expect(lineOf('thrown by joan@example.com')).to.include('thrown by [address]')
    expect(lineOf({ email: 'joan@example.com' })).not.to.include('joan')
  })
})
