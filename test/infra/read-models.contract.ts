import type { CollectionSpec } from '../../domain/kernel/ports/read-models.ts'
import { applying } from './read-models/applying.ts'
import { carryingOver } from './read-models/carrying-over.ts'
import { finding } from './read-models/finding.ts'
import { getting } from './read-models/getting.ts'
import { modelled } from './read-models/model.ts'
import { ordering } from './read-models/ordering.ts'
import { rebuilding } from './read-models/rebuilding.ts'
import { collections, live, type OpenReadModels } from './read-models/setting.ts'
import { walking } from './read-models/walking.ts'

/**
 * Contract of every store of read models.
 * @param open called before each test; opens a new store
 */
export function readModelsContract(
  name: string,
  open: (collections: readonly CollectionSpec[]) => Promise<OpenReadModels>,
): void {
  describe(`${name} as read models`, () => {
    let current: OpenReadModels
    const setting = () => current
    beforeEach(async () => {
      current = await open(collections)
    })
    afterEach(() => current.cleanup())

    describe('getting', () => getting(setting))
    describe('finding', () => finding(setting))
    describe('ordering', () => ordering(setting))
    describe('walking', () => walking(() => live(current.store, [])))
    describe('applying', () => applying(setting))
    describe('rebuilding', () => rebuilding(setting))
    describe('keeping', () => carryingOver(setting))
    describe('as a whole', () => modelled(setting))
  })
}
