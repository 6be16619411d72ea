import { expect } from 'chai'
import type { Fingerprints } from '../../domain/kernel/ports/read-models.ts'
import { isNoted, isReplaced, ofCollections, withVersion } from '../../projections/versions.ts'

const version = (documents: string, ...more: readonly string[]): Fingerprints =>
  new Map(['a', ...more].map((name) => [name, { documents, indexes: [], attributes: [] }]))

describe('versions that share documents', () => {
  const [first, second, third] = [version('1'), version('2'), version('2', 'b')]
  /** Recorded fingerprints after versions have built one after the other. */
  const built = (...versions: readonly Fingerprints[]) =>
    versions.reduce<Fingerprints | undefined>((before, now) => withVersion(now, now, before), undefined)

  it('are replaced for good by a later one', () => {
    const now = built(first, second, third)
    expect([first, second, third].map((one) => isReplaced(one, now))).to.deep.equal([true, true, false])
    // Building again with the same version changes nothing.
    expect(withVersion(third, third, now)).to.deep.equal(now)
    expect(isNoted(third, now)).to.equal(true)
    expect(isNoted(second, now)).to.equal(false)
  })

  it('also differ when one has an additional collection', () => {
    expect(isReplaced(second, built(second, third))).to.equal(true)
  })

  it('replace nothing that was never recorded', () => {
    expect(isReplaced(first, undefined)).to.equal(false)
    expect(isReplaced(first, second)).to.equal(false)
  })

  it('can be reverted to on purpose, and replaced again', () => {
    const back = built(first, second, third, second)
    expect([first, second, third].map((one) => isReplaced(one, back))).to.deep.equal([true, false, false])
    const forward = withVersion(third, third, back)
    expect([first, second, third].map((one) => isReplaced(one, forward))).to.deep.equal([true, true, false])
  })

  it('leave the fingerprints of the collections as they are', () => {
    const kept: Fingerprints = new Map(JSON.parse(JSON.stringify([...built(first, second)!])))
    expect(ofCollections(kept)).to.deep.equal(second)
    expect(isReplaced(first, kept)).to.equal(true)
  })
})
