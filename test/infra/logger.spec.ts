import { expect } from 'chai'
import { readConfig } from '../../infra/config.ts'
import { isForPeople, rendererOf } from '../../infra/runtime/log-format.ts'
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

  describe('for people', () => {
    it('is chosen on a terminal, or by the setting', () => {
      const chosen = (['auto', 'json', 'text'] as const).map((format) => [
        isForPeople(format, true),
        isForPeople(format, false),
      ])
      expect(chosen).to.deep.equal([
        [true, false],
        [false, false],
        [true, true],
      ])
      expect(readConfig({}).logFormat).to.equal('auto')
      expect(() => readConfig({ MILLRACE_LOG_FORMAT: 'xml' })).to.throw('MILLRACE_LOG_FORMAT must be one of auto, json')
    })

    it('has a line of text for each event, with its fields, and the stack of an error', async () => {
      const render = await rendererOf({ colors: false })
      const texts: string[] = []
      const logger = createLogger('info', { write: (line) => void texts.push(render(line)) })
      logger.info({ events: 3 }, 'read models built')
      logger.error({ err: new TypeError('cannot be written') }, 'it failed')
      expect(texts[0]).to.match(/^\[\d\d:\d\d:\d\d\] INFO: read models built \{"events":3\}\n$/)
      expect(texts[1])
        .to.include('ERROR: it failed')
        .and.include('TypeError: cannot be written\n')
        .and.include('logger.spec')
    })

    it('names the operation of a request, and the id of one that failed', async () => {
      const render = await rendererOf({ colors: false })
      const request = (status: number) =>
        render(
          `{"level":30,"time":0,"request_id":"r-1","operation":"getContacts","status":${status},"ms":1.5,"msg":"request"}\n`,
        ).slice('[00:00:00] '.length)
      expect(request(200)).to.equal('INFO: getContacts 200 in 1.5 ms\n')
      expect(request(404)).to.equal('INFO: getContacts 404 in 1.5 ms {"request_id":"r-1"}\n')
    })
  })
})
