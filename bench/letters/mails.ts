import { run, serve } from '../child.ts'
import { programFile } from '../places.ts'
import type { Probe, ProbeContext, Reading } from '../probe.ts'
import { inTurn } from '../rounds.ts'

const MAILS_PER_SECOND = 1000
const SHARE = 'share of the mail library alone'
const SIDES = { own: 'Millrace, mails of a broadcast', alone: 'mail library alone' } as const

const measure = async (
  { root, scratch, effort, profile }: ProbeContext,
  side: keyof typeof SIDES,
): Promise<readonly Reading[]> => {
  const sink = await serve<{ readonly port: number }>(programFile('mail-sink', root))
  try {
    const count = Math.round(effort.seconds * MAILS_PER_SECOND)
    const args = [side, await scratch('mails'), String(sink.ready.port), String(count)]
    const { perSecond, cpu } = await run<{ perSecond: number; cpu: number }>(programFile('mails', root), {
      args,
      profile,
    })
    return [
      { label: SIDES[side], unit: 'mails/s', value: perSecond },
      { label: `${SIDES[side]}, CPU`, unit: 'µs/mail', value: cpu },
    ]
  } finally {
    await sink.stop()
  }
}

/** (t) Mails that are decided on, rendered, handed over and recorded, beside the same mails handed over by the mail library alone. */
export const mails: Probe = {
  benchmark: 't',
  title: () => 'mails of a broadcast, handed to an SMTP server on this machine',
  async prepare(context) {
    return {
      async read(round) {
        const readings = await inTurn(round, [() => measure(context, 'own'), () => measure(context, 'alone')])
        const of = (label: string) => readings.find((reading) => reading.label === label)?.value ?? Number.NaN
        return [...readings, { label: SHARE, unit: '%', value: (of(SIDES.own) / of(SIDES.alone)) * 100 }]
      },
    }
  },
  targets: [
    { says: 'mails handed over, share of the rate of the mail library alone', of: SHARE, atLeast: 25, goal: 60 },
  ],
  warmUp: false,
}
