import { MemoryReadModels } from '../../support/memory/read-models.ts'
import { walking } from './walking.ts'

describe('Documents in memory, walked', () => walking(async () => new MemoryReadModels()))
