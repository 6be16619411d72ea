import { expect } from 'chai'
import { nameOf, valuesFor } from '../../../domain/emails/composing/values.ts'

/** Names that somebody typed for the address of somebody else, and what a mail shows of them. */
const TYPED: Readonly<Record<string, string>> = {
  'CLICK https://evil.example NOW': 'CLICK https evil example NOW',
  'www.evil.example/x?y=1': 'www evil example x y=1',
  'evil.example': 'evil example',
  'win@evil.example': 'win evil example',
  'evil。example': 'evil example',
  'mailto:a@b.cd': 'mailto a b cd',
  'http:\\\\evil.example': 'http evil example',
}

/** Names of people, which stay as they are. */
const PEOPLE = 'Ann|J. R. R.|J.R.R.|Dr. Müller|O’Neill-Smith|Ana María|山田 太郎|Smith, Jr.|AC/DC'.split('|')

describe('a name in a mail', () => {
  for (const [typed, shown] of Object.entries(TYPED))
    it(`becomes no link: ${typed}`, () => {
      const contact = { id: 1, first_name: typed, last_name: null }
      expect(valuesFor({}, contact as never).contact).to.include({ first_name: shown })
      expect(nameOf(contact as never)).to.equal(shown)
    })

  it('stays as it is, if it is one of a person', () => {
    for (const name of PEOPLE)
      expect(valuesFor({}, { id: 1, first_name: name, last_name: name } as never).contact, name).to.include({
        first_name: name,
        last_name: name,
      })
  })
})
