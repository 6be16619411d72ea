import { expect } from 'chai'
import { contactAttributes, readPageForm, submittedData } from '../../../domain/forms/form-submission/page-form.ts'

type Pair = readonly [element: string, value: string]

const read = (...sent: readonly Pair[]) => {
  const form = readPageForm(sent)
  return { data: submittedData(form), attributes: contactAttributes(form), dropped: form.dropped }
}

describe('form of a page', () => {
  it('case 30: its data has the names of elements, and custom attributes by their keys as they were sent', () => {
    expect(read(['email', 'ada@example.com'], ['custom-attribute:Shoe size', '38'])).to.deep.equal({
      data: { email: 'ada@example.com', 'Shoe size': '38' },
      attributes: { shoe_size: '38' },
      dropped: 0,
    })
  })

  it('case 30: a custom attribute with the name of an element that was sent keeps its full name', () => {
    expect(read(['custom-attribute:phone', '1'], ['phone', '2'])).to.deep.equal({
      data: { phone: '2', 'custom-attribute:phone': '1' },
      attributes: { phone: '1' },
      dropped: 0,
    })
  })

  it('keeps several values of one attribute apart, whatever is in them', () => {
    const several = [
      ['red', 'blue'],
      ['a', 'b,c'],
      ['a, b', 'c'],
      ['"', ''],
      ['x\ny', '["z"]', 'x'],
    ]
    for (const values of several) {
      const { data, attributes } = read(...values.map((value): Pair => ['custom-attribute:Color', value]))
      expect([JSON.parse(data.Color ?? ''), JSON.parse(attributes.color ?? '')]).to.deep.equal([values, values])
    }
    for (const value of ['a, b', '["a"]', ''])
      expect(read(['custom-attribute:color', value]).data).to.deep.equal({ color: value })
  })

  it('case 71: drops and counts keys that are too long, have control characters, or that contacts cannot have', () => {
    const keys = ['k'.repeat(65), 'a\u0007b', 'a\nb', '', '!!!', 'email_address', '\ud800']
    const sent = keys.map((key): Pair => [`custom-attribute:${key}`, 'x'])
    expect(read(...sent, [`custom-attribute:${'k'.repeat(64)}`, 'y'])).to.deep.equal({
      data: { ['k'.repeat(64)]: 'y' },
      attributes: { ['k'.repeat(64)]: 'y' },
      dropped: keys.length,
    })
  })

  it('case 71: takes __proto__ and constructor for ordinary keys', () => {
    const { data, attributes, dropped } = read(
      ['custom-attribute:__proto__', 'p'],
      ['custom-attribute:constructor', 'c'],
    )
    expect(dropped).to.equal(0)
    expect(JSON.stringify(data)).to.equal('{"__proto__":"p","constructor":"c"}')
    expect(Object.entries(attributes)).to.deep.equal([
      ['proto', 'p'],
      ['constructor', 'c'],
    ])
  })

  it('drops values that cannot be stored', () => {
    expect(read(['name', 'x'.repeat(65_536)], ['phone', 'a\u0000']).dropped).to.equal(2)
  })
})
