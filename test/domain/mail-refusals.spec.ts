import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import { refusalOf } from '../../domain/emails/refusals/refusal-of.ts'

const CORPUS = path.join(import.meta.dirname, '../../../test/fixtures/mail/refusals.tsv')
const ENHANCED = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/

/** Refusals in the words of mail servers, with what each is about, as a person reads it. */
const corpus = readFileSync(CORPUS, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [server = '', right = '', reply = ''] = line.split('\t')
    return { server, right, text: reply.replaceAll('\\n', '\n') }
  })

describe('what a refusal is about', () => {
  it('is read from the words of mail servers as a person reads them', () => {
    expect(corpus.length).to.be.at.least(60)
    const wrong = corpus.flatMap(({ server, right, text }) => {
      const about = refusalOf({ enhanced: ENHANCED.exec(text)?.[1] ?? null, text })
      return about === right ? [] : [`${server}: ${about}, not ${right}: ${text}`]
    })
    expect(wrong).to.deep.equal([])
  })

  it('is the mailbox by its code alone, where there is no text', () => {
    const about = (enhanced: string | null) => refusalOf({ enhanced, text: null })
    expect(['5.1.1', '5.1.10', '5.2.1'].map(about)).to.deep.equal(['mailbox', 'mailbox', 'mailbox'])
    expect(['5.1.2', '5.4.4'].map(about)).to.deep.equal(['domain', 'domain'])
    expect(['5.0.0', '5.1.0', '5.5.0', null].map(about)).to.deep.equal(['other', 'other', 'other', 'other'])
    expect(['5.7.1', '5.7.26', '5.1.8'].map(about)).to.deep.equal(['policy', 'sender', 'sender'])
  })

  it('takes no longer for a text that repeats what it looks for', () => {
    const text = `550 ${'sender address '.repeat(100_000)}`
    expect(refusalOf({ enhanced: null, text })).to.equal('other')
  })
})
