import { expect } from 'chai'
import fc from 'fast-check'
import { rooted, slugOf } from '../../../domain/resources/attributes/slug.ts'

describe('a slug', () => {
  it('is made of the letters and digits of a name', () => {
    expect(slugOf('Summer Sale — 2026!', 'page')).to.equal('summer-sale-2026')
    expect(slugOf(' Ärger & Ćwikła ', 'page')).to.equal('arger-cwikła')
    expect(slugOf('— !', 'page')).to.equal('page')
  })

  it('cuts no character in two', () => {
    expect(slugOf(`${'a'.repeat(99)}𠀀b`, 'page')).to.equal('a'.repeat(99))
    expect(slugOf(`${'a'.repeat(98)} 𠀀`, 'page')).to.equal('a'.repeat(98))
  })

  it('is well-formed, of at most 100 characters, and begins and ends with a letter or a digit, whatever the name', () => {
    const name = fc.string({ unit: 'binary', maxLength: 255 })
    fc.assert(
      fc.property(name, (text) => {
        const slug = slugOf(text, 'page')
        expect(slug.isWellFormed()).to.equal(true)
        expect(slug).to.match(/^[\p{L}\p{N}](?:.*[\p{L}\p{N}])?$/su)
        expect(slug.length).to.be.at.most(100)
      }),
    )
  })
})

describe('a path', () => {
  it('has one leading slash', () => {
    for (const sent of ['a/b', '/a/b', ' //a/b ']) expect(rooted(sent)).to.equal('/a/b')
  })
})
