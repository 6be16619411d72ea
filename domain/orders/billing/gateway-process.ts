import { process } from '../../resources/process/index.ts'
import type { ProcessModel } from '../../resources/process/model.ts'
import { type CallSpec, type CommandSpec, call, command } from '../../resources/process/steps.ts'
import { backgroundRetry, DAY, TIMEOUT_MS } from './retry-policy.ts'

interface GatewayProcessSpec<M extends ProcessModel, Request, Answer>
  extends Pick<CallSpec<M, Request, Answer>, 'port' | 'request' | 'saveResult'> {
  /** Name of the step that calls the gateway. */
  readonly step: string
  /** Command that records the answer. */
  readonly record: CommandSpec<M>['command']
}

/** Process of two steps: calls a gateway while nobody waits, then records its answer. Ends after seven days. */
export const gatewayProcess = <M extends ProcessModel, Request, Answer>(
  of: M,
  { step, record, ...spec }: GatewayProcessSpec<M, Request, Answer>,
) =>
  process(of, {
    withinMs: 7 * DAY,
    steps: [
      {
        name: step,
        invoke: call(of, { ...spec, onUnknown: 'query', timeoutMs: TIMEOUT_MS, retryAfterMs: backgroundRetry }),
      },
      { name: 'record', invoke: command(of, { command: record }) },
    ],
  })
