import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { expect } from 'chai'
import { signatureHeaders } from '../../workers/webhooks/sign.ts'

const FILE = path.join(import.meta.dirname, '../../../examples/webhook-receiver/receiver.js')
const secret = new Uint8Array(32).fill(7)
const other = new Uint8Array(32).fill(8)

const event = (event_id: string, sequence: number, subject_id = 5) => ({
  event_id,
  event_type: '$contact.updated',
  subject_type: 'Contact',
  subject_id,
  sequence,
  data: { id: subject_id, first_name: 'Ada' },
})

describe('the example receiver', () => {
  let child: ChildProcess
  let lines: Interface
  let port: number

  const nextLine = () => new Promise<string>((resolve) => lines.once('line', resolve))

  before(async () => {
    const env = { ...process.env, WEBHOOK_SECRET: `whsec_${Buffer.from(secret).toString('base64')}`, PORT: '0' }
    child = spawn(process.execPath, [FILE], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    lines = createInterface({ input: child.stdout! })
    port = Number(/\d+$/.exec(await nextLine())?.[0])
  })
  after(() => child.kill())

  const deliver = async (payload: object, keys: readonly Uint8Array[] = [secret], age = 0, tamper = '') => {
    const body = JSON.stringify(payload)
    const timestamp = Math.floor(Date.now() / 1000) - age
    const signing = keys.map((bytes) => ({ bytes, hex: '' }))
    const headers = signatureHeaders(signing, (payload as { event_id: string }).event_id, timestamp, body)
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: body + tamper })).status
  }
  const delivered = async (payload: object, keys?: readonly Uint8Array[]) => {
    const said = nextLine()
    expect(await deliver(payload, keys)).to.equal(204)
    return said
  }

  it('has less than 60 lines', () => {
    expect(readFileSync(FILE, 'utf8').trimEnd().split('\n').length).to.be.below(60)
  })

  it('accepts signed deliveries, also during a rotation of the secret', async () => {
    expect(await delivered(event('a', 1))).to.equal('$contact.updated of Contact 5, revision 1: 2 fields')
    expect(await delivered(event('b', 2), [other, secret])).to.match(/revision 2/)
  })

  it('refuses deliveries that are forged, altered or old', async () => {
    expect(await deliver(event('x', 9), [other])).to.equal(401)
    expect(await deliver(event('x', 9), [secret], 0, ' ')).to.equal(401)
    expect(await deliver(event('x', 9), [secret], 301)).to.equal(401)
    const unsigned = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(event('x', 9)) })
    expect(unsigned.status).to.equal(401)
  })

  it('does everything once', async () => {
    expect(await delivered(event('c', 3))).to.match(/revision 3/)
    expect(await delivered(event('c', 3))).to.equal('known already')
  })

  it('never replaces newer data by older, for each subject', async () => {
    expect(await delivered(event('e', 8))).to.match(/revision 8/)
    expect(await delivered(event('d', 7))).to.match(/older/)
    expect(await delivered(event('f', 8))).to.match(/revision 8/)
    expect(await delivered(event('g', 1, 6))).to.match(/Contact 6, revision 1/)
  })
})
