import { expect } from 'chai'
import type { Logger } from 'pino'
import type { Fingerprints, ReadModelStore } from '../../domain/kernel/ports/read-models.ts'
import { refusalIn } from '../../domain/kernel/values/refusal.ts'
import type { Core } from '../../infra/runtime/core.ts'
import { buildBefore, Replaced, startBuildingBeside } from '../../infra/runtime/rebuilding.ts'
import type { Difference } from '../../projections/fingerprints.ts'

const PROGRESS = { events: 3, position: 2, target: 2, eventsPerSecond: 30 }

describe('building read models', () => {
  let said: string[]
  const logger = {
    info: (_: object, text: string) => said.push(`info ${text}`),
    warn: (_: object, text: string) => said.push(`warn ${text}`),
    error: (_: object, text: string) => said.push(`error ${text}`),
  } as unknown as Logger
  beforeEach(() => {
    said = []
  })

  /** What a start does about a difference: the collections it rebuilds, records, and leaves for later. */
  const start = async (difference: Partial<Difference> & { readonly isReplaced?: boolean }, isDamaged = false) => {
    const done: string[] = []
    const core = {
      difference: async () => ({ changed: [], unfit: undefined, isWhole: false, until: undefined, ...difference }),
      rebuild: async (_: object, only?: readonly string[]) => {
        if (only && isDamaged) throw new Error('damaged')
        done.push(only ? `rebuild ${only}` : 'rebuild')
        return PROGRESS
      },
    } as unknown as Core
    const note = async (fingerprints: Fingerprints) => done.push(`note ${[...fingerprints.keys()]}`)
    const later = await buildBefore(core, { note } as unknown as ReadModelStore, logger)
    return [...done, ...later.map((name) => `later ${name}`)]
  }
  const until: Fingerprints = new Map([['a', { documents: '', indexes: [], attributes: [] }]])

  it('before a start rebuilds what is needed at once, and carries over the rest', async () => {
    expect(await start({})).to.deep.equal([])
    expect(await start({ changed: ['a'], unfit: 'nothing', isWhole: true })).to.deep.equal(['rebuild'])
    expect(await start({ changed: ['a'], unfit: 'no index' })).to.deep.equal(['rebuild a'])
    expect(await start({ changed: ['a'], until })).to.deep.equal(['note a', 'later a'])
    expect(await start({ until })).to.deep.equal(['note a'])
  })

  it('does not replace what a newer version has built', async () => {
    const older = { changed: ['a'], unfit: 'nothing', isWhole: true, until, isReplaced: true }
    const error = await start(older).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(Replaced)
    expect(refusalIn(error)?.kind).to.equal('unavailable')
  })

  it('rebuilds everything when the old documents cannot be carried over', async () => {
    expect(await start({ changed: ['a'], unfit: 'no index' }, true)).to.deep.equal(['rebuild'])
    expect(said[0]).to.match(/^warn .*building all/)
  })

  it('during a running service logs the result, and ends nothing when it fails', async () => {
    const run = async (rebuild: () => Promise<typeof PROGRESS>) => {
      const beside = startBuildingBeside(['a'], rebuild, logger)
      await new Promise((go) => setImmediate(go))
      await beside.stop()
      return said.splice(0).at(-1)
    }
    expect(await run(async () => PROGRESS)).to.equal('info changed collections built anew')
    const failing = async () => Promise.reject(new Error('no room'))
    expect(await run(failing)).to.match(/^error .*the next start tries again/)
  })

  it('during a running service ends silently when it is stopped', async () => {
    const untilStopped = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    await startBuildingBeside(['a'], untilStopped, logger).stop()
    expect(said).to.have.length(1)
  })
})
