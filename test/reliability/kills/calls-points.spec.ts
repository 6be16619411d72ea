import { expect } from 'chai'
import type { ReactorStore } from '../../../domain/kernel/ports/reactor-store.ts'
import { openShop } from '../../workers/calls/shop.ts'
import { type Behaviour, Till, type What } from '../../workers/calls/till.ts'
import { openSetting, soon } from '../../workers/reactor/setting.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { Mortal } from './mortal.ts'

type Manners = Readonly<Partial<Record<What, readonly Behaviour[]>>>

/** A charge whose answer is lost and whose query fails twice, then a parcel whose answer is lost. */
const COMPLETED: Manners = { charge: ['acts and loses'], find: ['loses', 'fails'], pack: ['acts and loses'] }
/** The same charge, then a parcel that is declined, so that all steps are compensated; the answer to the refund is lost. */
const UNDONE: Manners = { ...COMPLETED, pack: ['fails', 'declines'], refund: ['acts and loses'] }

const taking = (manners: Manners) => {
  const left = new Map(Object.entries(manners).map(([what, all]) => [what, [...all]]))
  return (what: What): Behaviour => left.get(what)?.shift() ?? 'answers'
}

/** Runs a purchase in one life that dies at a step, and in a second one that finishes it. @returns the number of steps of the first life */
const lives = async (lastStep: number, manners: Manners, end: 'completed' | 'undone'): Promise<number> => {
  const setting = await openSetting()
  try {
    const mortal = new Mortal(lastStep)
    const till = new Till(taking(manners))
    const mortally = <T extends object>(adapter: T): T => mortal.of(adapter, ['send', 'find'] as never)
    const log = mortal.of(setting.log, ['append', 'at'])
    const reactorStore: ReactorStore = mortal.of(setting.reactorStore, ['write', 'pendingIn', 'cursor'])
    // It may die as it starts: that it runs is written down first.
    const reactions = openShop(log).reactions(till.adapters(mortally))
    const first = await Promise.race([setting.start(reactions, { log, reactorStore }), mortal.death])
    const shop = openShop(setting.log)
    const id = await shop.buy()
    const isOver = async () => {
      const { step, stuck } = await shop.stands(id)
      // A life that dies uses up one of the attempts.
      if (stuck !== null) await shop.tell(id, 'resume')
      return step === null
    }
    await soon(async () => mortal.isDead || (await isOver()), 20_000)
    const steps = mortal.steps
    if (Number.isFinite(lastStep)) {
      // The life may die only now, and must not be waited for.
      if (first) setting.abandon(first)
      await mortal.kill()
      await setting.start(shop.reactions(till.adapters()))
      await soon(isOver, 20_000)
    }
    const { status, left, done } = await shop.stands(id)
    const said = `died at step ${lastStep}`
    expect({ status, left }, said).to.deep.equal({ status: end, left: end === 'undone' ? 1 : 0 })
    expect(
      till.charges.map(({ refunded }) => refunded),
      said,
    ).to.deep.equal([end === 'undone'])
    expect([...till.packed].length, said).to.equal(end === 'undone' ? 0 : 1)
    expect(done, said).to.have.length(end === 'undone' ? 0 : 3)
    expect(
      (await shop.story(id)).filter(({ type }) => type === 'PurchaseMoved').length,
      `${said}: each step is told once`,
    ).to.equal(end === 'undone' ? 4 : 2)
    return steps
  } finally {
    await setting.cleanup()
  }
}

describe('a process with calls, killed at every step towards the outside', function () {
  this.timeout(patience)

  for (const [end, manners] of [
    ['completed', COMPLETED],
    ['undone', UNDONE],
  ] as const) {
    it(`is ${end}, charges once, and does nothing twice`, async () => {
      const steps = await lives(Number.POSITIVE_INFINITY, manners, end)
      const every = byForm(11, 1)
      let deaths = 0
      for (let step = 0; step < steps; step += every, deaths++) await lives(step, manners, end)
      printFigures(
        'calls-points',
        `${end}: ${deaths} deaths, at ${byForm('every eleventh of', 'each of')} ${steps} steps`,
      )
    })
  }
})
