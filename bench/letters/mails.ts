import { run, serve } from '../child.ts'
import { programFile } from '../places.ts'
import type { Probe, ProbeContext, Reading } from '../probe.ts'
import { inTurn } from '../rounds.ts'

const MAILS_PER_SECOND = 2500
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
    const { perSecond } = await run<{ perSecond: number }>(programFile('mails', root), { args, profile })
    return [{ label: SIDES[side], unit: 'mails/s', value: perSecond }]
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
        const [own, alone] = await inTurn(round, [() => measure(context, 'own'), () => measure(context, 'alone')])
        const share = ((own?.value ?? Number.NaN) / (alone?.value ?? Number.NaN)) * 100
        return [own!, alone!, { label: SHARE, unit: '%', value: share }]
      },
    }
  },
  targets: [
    { says: 'mails handed over, share of the rate of the mail library alone', of: SHARE, atLeast: 40, goal: 60 },
  ],
  warmUp: false,
}
