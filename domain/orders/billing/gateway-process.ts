import { process } from '../../resources/process/index.ts'
import type { ProcessModel } from '../../resources/process/model.ts'
import {
  type CallSpec,
  type CommandSpec,
  call,
  command,
  type Step,
  type StepAction,
} from '../../resources/process/steps.ts'
import { DAY, IN_BACKGROUND } from './retry-policy.ts'

interface GatewayProcessSpec<M extends ProcessModel, Request, Answer>
  extends Pick<CallSpec<M, Request, Answer>, 'port' | 'request' | 'saveResult' | 'isStillWanted'> {
  /** Name of the step that calls the gateway. */
  readonly step: string
  /** Command that records the answer. */
  readonly record: CommandSpec<M>['command']
  /** Call that takes back what the gateway did, when its answer cannot be recorded. */
  readonly takeBack?: StepAction<M>
  /** Tells whether the gateway did something that can be taken back; default: it did. */
  readonly hasEffect?: Step<M>['hasEffect']
}

/** Process of two steps: calls a gateway while nobody waits, then records its answer. Ends after seven days. */
export const gatewayProcess = <M extends ProcessModel, Request, Answer>(
  of: M,
  { step, record, takeBack, hasEffect, ...spec }: GatewayProcessSpec<M, Request, Answer>,
) =>
  process(of, {
    withinMs: 7 * DAY,
    waitsForWorkers: true,
    steps: [
      {
        name: step,
        invoke: call(of, { ...spec, ...IN_BACKGROUND }),
        ...(takeBack && { compensate: takeBack }),
        ...(hasEffect && { hasEffect }),
      },
      { name: 'record', invoke: command(of, { command: record }) },
    ],
  })
