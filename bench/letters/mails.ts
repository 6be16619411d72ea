import { run, serve } from '../child.ts'
import { programFile } from '../places.ts'
import type { Probe, ProbeContext, Reading } from '../probe.ts'
import { inTurn } from '../rounds.ts'

const MAILS_PER_SECOND = 1000
const SIDES = { own: 'Millrace, mails of a broadcast', alone: 'mail library alone' } as const
const SHARES = { no: 'share of the mail library alone', yes: 'share of the mail library alone, signed' } as const

interface Side {
  readonly who: keyof typeof SIDES
  /** Whether the mails are signed by DKIM. */
  readonly isSigned: boolean
}

interface Sent {
  readonly perSecond: number
  readonly cpu: number
  readonly resident: number
}

/** Flags with which the service starts. */
const SERVICE_FLAGS = ['--max-semi-space-size=32']

const labelOf = ({ who, isSigned }: Side): string => SIDES[who] + (isSigned ? ', signed' : '')

const measure = async ({ root, scratch, effort, profile }: ProbeContext, side: Side): Promise<readonly Reading[]> => {
  const sink = await serve<{ readonly port: number }>(programFile('mail-sink', root))
  try {
    const count = Math.round(effort.seconds * MAILS_PER_SECOND)
    const given = [await scratch('mails'), String(sink.ready.port), String(count), ...(side.isSigned ? ['signed'] : [])]
    const program = programFile('mails', root)
    if (side.who === 'own') await run(program, { args: ['fill', ...given] })
    const args = [side.who, ...given]
    const { perSecond, cpu, resident } = await run<Sent>(program, { args, profile, flags: SERVICE_FLAGS })
    return [
      { label: labelOf(side), unit: 'mails/s', value: perSecond },
      { label: `${labelOf(side)}, CPU`, unit: 'µs/mail', value: cpu },
      { label: `${labelOf(side)}, resident`, unit: 'MiB', value: resident },
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
        const sides = [false, true].flatMap((isSigned) => [
          { who: 'own', isSigned } as const,
          { who: 'alone', isSigned } as const,
        ])
        const measuring = sides.map((side) => () => measure(context, side))
        const readings = await inTurn(round, measuring)
        const of = (side: Side) => readings.find(({ label }) => label === labelOf(side))?.value ?? Number.NaN
        const share = (isSigned: boolean) => ({
          ...{ label: isSigned ? SHARES.yes : SHARES.no, unit: '%' },
          value: (of({ who: 'own', isSigned }) / of({ who: 'alone', isSigned })) * 100,
        })
        return [...readings, share(false), share(true)]
      },
    }
  },
  targets: [
    { says: 'mails handed over, share of the rate of the mail library alone', of: SHARES.no, atLeast: 25, goal: 60 },
    { says: 'signed mails, share of the rate of the mail library alone', of: SHARES.yes, atLeast: 25, goal: 60 },
  ],
  warmUp: false,
}
