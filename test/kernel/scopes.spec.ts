import { expect } from 'chai'
import { allows } from '../../domain/kernel/values/scopes.ts'

describe('scopes', () => {
  const cases: readonly (readonly [
    scopes: readonly string[],
    category: 'contacts' | 'store',
    level: 'read' | 'write',
    allowed: boolean,
  ])[] = [
    [[], 'contacts', 'read', false],
    [['read'], 'contacts', 'write', true],
    [['write'], 'store', 'write', true],
    [['contacts:read'], 'contacts', 'read', true],
    [['contacts:read'], 'contacts', 'write', false],
    [['contacts:read'], 'store', 'read', false],
    [['contacts:write'], 'contacts', 'read', true],
    [['contacts:write'], 'contacts', 'write', true],
    [['read', 'contacts:read'], 'store', 'read', true],
    [['read', 'contacts:read'], 'store', 'write', false],
    [['read', 'contacts:read'], 'contacts', 'write', false],
    [['write', 'contacts:read'], 'store', 'write', true],
  ]
  for (const [scopes, category, level, allowed] of cases) {
    it(`[${scopes.join(' ')}] ${allowed ? 'allows' : 'does not allow'} ${category}:${level}`, () => {
      expect(allows(scopes, category, level)).to.equal(allowed)
    })
  }
})
