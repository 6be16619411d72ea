import { expect } from 'chai'
import type { EventLog } from '../../../domain/kernel/ports/event-log.ts'
import type { ReactorStore } from '../../../domain/kernel/ports/reactor-store.ts'
import { derivedId } from '../../../workers/derived-id.ts'
import { DONE, type Reaction } from '../../../workers/reactor/reaction.ts'
import { openSetting, reaction, soon } from '../../workers/reactor/setting.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { Mortal } from './mortal.ts'

const LANES = 5
const EVENTS = 20
const POISONED = 7
const STUMBLES = 4
const WALKED = 6

/** The reactions of a process, on a log that may die with it. Their effects are events with ids that are derived from the cause. */
const reactionsOver = (log: EventLog, stumbled: Set<number>): readonly Reaction[] => {
  const affect = async (n: number, step = 0) => {
    const id = derivedId('effect', n, step)
    const metadata = { at: '2026-02-03T04:05:06.789Z', actor: 'test', $correlationId: id, $causationId: id }
    const events = [{ id, type: 'Affected', data: { n, step }, metadata }]
    await log.append({ stream: `effect-${n}`, expected: 'any', events, repeatable: true })
  }
  return [
    reaction({
      name: 'affects',
      maxAttempts: 3,
      async react({ data }) {
        const n = Number(data.n)
        if (n === POISONED) throw new Error('it is poisoned')
        if (n % STUMBLES === 0 && !stumbled.has(n)) {
          stumbled.add(n)
          throw new Error('it stumbles once')
        }
        await affect(n)
        return DONE
      },
    }),
    reaction({
      name: 'walks',
      on: [{ type: 'Walked' }],
      async react({ data }, turn) {
        for (let step = Number((await turn.cursor()) ?? 0); step < WALKED; step++) {
          await affect(Number(data.n), step)
          await turn.saveCursor(step + 1)
        }
        return DONE
      },
    }),
  ]
}

/** Runs one life that dies at a step, and a second one that finishes. @returns the number of steps of the first life */
const lives = async (lastStep: number): Promise<number> => {
  const setting = await openSetting()
  try {
    const mortal = new Mortal(lastStep)
    const stumbled = new Set<number>()
    const log = mortal.of(setting.log, ['append', 'at'])
    const reactorStore: ReactorStore = mortal.of(setting.reactorStore, ['write', 'pendingIn', 'cursor'])
    // It may die as it starts: that it runs is written down first.
    const first = await Promise.race([setting.start(reactionsOver(log, stumbled), { log, reactorStore }), mortal.death])
    for (let n = 1; n <= EVENTS; n++) await setting.happen('Happened', `a-${n % LANES}`, { n })
    const last = await setting.happen('Walked', 'b-1', { n: 100 })
    const effects = async () => {
      const found: [number, number][] = []
      for await (const { type, data } of setting.log.readAll())
        if (type === 'Affected') found.push([Number(data.n), Number(data.step)])
      return found
    }
    const all = EVENTS - 1 + WALKED
    const isOver = async () => {
      if ((await setting.reactorStore.deadLetters({ limit: 2 })).length === 0 || (await effects()).length < all)
        return false
      for await (const _ of setting.reactorStore.pending()) return false
      // One of them says that the reactor runs, and others what it is at.
      for await (const [name] of setting.reactorStore.cursors()) if (!name.startsWith('under-way')) return false
      return true
    }
    await soon(async () => mortal.isDead || (await isOver()))
    const steps = mortal.steps
    if (Number.isFinite(lastStep)) {
      // The life may die only now, and must not be waited for.
      if (first) setting.abandon(first)
      await mortal.kill()
      await setting.start(reactionsOver(setting.log, stumbled))
    }
    await soon(isOver)
    const found = await effects()
    expect(found, `died at step ${lastStep}`).to.have.length(all)
    expect(new Set(found.map(String)).size).to.equal(all)
    expect((await setting.reactorStore.deadLetters({ limit: 10 })).map(({ error }) => error)).to.deep.equal([
      'it is poisoned',
    ])
    const inLane = found.filter(([n]) => n <= EVENTS && n % LANES === 1).map(([n]) => n)
    expect(inLane).to.deep.equal([1, 6, 11, 16])
    if (!Number.isFinite(lastStep)) await soon(async () => Number(await setting.reactorStore.checkpoint()) >= last)
    return steps
  } finally {
    await setting.cleanup()
  }
}

describe('the reactor, killed at every step of its loop', function () {
  this.timeout(patience)

  it('does everything once, in order, and dead-letters a failing task once', async () => {
    const steps = await lives(Number.POSITIVE_INFINITY)
    const every = byForm(11, 1)
    let deaths = 0
    for (let step = 0; step < steps; step += every, deaths++) await lives(step)
    printFigures('reactor-points', `${deaths} deaths, at ${byForm('every eleventh of', 'each of')} ${steps} steps`)
  })
})
