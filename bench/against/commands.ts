import { run } from '../child.ts'
import { watchCpu } from '../cpu.ts'
import { programFile } from '../places.ts'
import { compare, cpuNotes, type Reading } from './compare.ts'
import type { Compared } from './report.ts'
import type { Duel, SideName } from './sides.ts'

/** (e) The command that creates a contact, without HTTP. Each program is new every time, and warms up by itself. */
export const commands = async ({ effort, sides, scratch }: Duel): Promise<Compared> => {
  const { seconds } = effort
  const pace = async (name: SideName, inFlight: number): Promise<readonly Reading[]> => {
    const { watch, before } = watchCpu()
    const args = [await scratch(`${name}-commands`), String(inFlight), String(seconds)]
    const file = programFile('commands', sides[name].root)
    const { perSecond } = await run<{ perSecond: number }>(file, { args, watch })
    const cpu = before(seconds)
    return [
      { label: `${inFlight} in flight`, unit: 'commands/s', value: perSecond },
      {
        label: `${inFlight} in flight, CPU`,
        unit: 'µs/command',
        value: cpu === undefined ? undefined : cpu / (perSecond * seconds),
      },
    ]
  }
  const rows = await compare(effort.rounds, async (name) => [...(await pace(name, 1)), ...(await pace(name, 64))], {
    warmUp: false,
  })
  return { benchmark: 'e', title: 'the command that creates a contact, without HTTP', rows, notes: cpuNotes }
}
