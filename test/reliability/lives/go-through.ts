import { DAY } from './clocks.ts'
import type { Life } from './life.ts'

/** What may happen to a life. Some of it does not, so that the rest has more room. */
const HAPPENINGS = {
  time: 10,
  unattended: 1,
  act: 8,
  away: 1,
  'the clock goes forward': 1,
  'the clock goes back': 1,
  kill: 2,
  'an older store': 2,
  copy: 3,
} as const
type Happening = keyof typeof HAPPENINGS

const LONGEST_AWAY = 21 * DAY
const LONGEST_JUMP = 90 * DAY

const happen = async (life: Life, what: Happening): Promise<void> => {
  const { numbers, clocks, client } = life
  const within = (ms: number) => numbers.below(ms)
  switch (what) {
    case 'time':
      return life.pass(within(numbers.pick([DAY, 20 * DAY, 40 * DAY])), true)
    case 'unattended':
      return life.pass(within(40 * DAY), false)
    case 'act':
      return client.act()
    case 'away':
      return life.goAway(within(LONGEST_AWAY))
    case 'the clock goes forward':
      return clocks.jump(within(LONGEST_JUMP))
    case 'the clock goes back':
      return clocks.jump(-within(LONGEST_JUMP))
    case 'kill':
      return life.restart()
    case 'an older store':
      return life.restart(true)
    case 'copy':
      return life.copy()
  }
}

/** Passes some months of a life in which everything may happen between any two attempts. */
export const goThrough = async (life: Life, steps: number): Promise<void> => {
  const { numbers, client } = life
  const deck = Object.entries(HAPPENINGS).flatMap(([what, times]) => {
    const isUsual = what === 'time' || what === 'act'
    return Array.from({ length: times * (isUsual ? 1 : numbers.pick([0, 1, 2])) }, () => what as Happening)
  })
  for (let step = 0; step < steps; step++) {
    client.mayEnd = step > (2 * steps) / 3
    for (let attempts = numbers.below(8); attempts > 0; attempts--) {
      await life.attempt()
      if (numbers.below(6) === 0) await client.act()
    }
    await happen(life, numbers.pick(deck))
  }
}
