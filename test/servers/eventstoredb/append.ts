import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams, {
  type AppendReq,
  type AppendResp,
  type DeleteReq,
  type DeleteResp,
} from '@eventstore/db-client/generated/streams_pb.js'
import type { handleClientStreamingCall, handleUnaryCall, ServiceError } from '@grpc/grpc-js'
import { status } from '@grpc/grpc-js'
import { execute, type Host } from './host.ts'
import type { Expected, Proposed, Written } from './memory-store.ts'
import { failure, proposedOf, streamName } from './messages.ts'

/** Handles an append in a separate call: first the options, then the events, then one answer. */
export function append(host: Host): handleClientStreamingCall<AppendReq, AppendResp> {
  return (call, callback) => {
    const requests: AppendReq[] = []
    call.on('error', () => {})
    call.on('data', (request: AppendReq) => requests.push(request))
    call.on('end', () => {
      const refusal = host.refusal(call.metadata)
      if (refusal) return callback(refusal)
      try {
        settle(host, requests, callback)
      } catch (error) {
        callback(error as ServiceError)
      }
    })
  }
}

export function deleteStream(host: Host): handleUnaryCall<DeleteReq, DeleteResp> {
  return (call, callback) => {
    const refusal = host.refusal(call.metadata)
    if (refusal) return callback(refusal)
    const options = call.request.getOptions()
    const stream = streamName(options?.getStreamIdentifier())
    const expected = options?.hasNoStream() ? 'none' : options?.hasRevision() ? Number(options.getRevision()) : 'any'
    const answer = (written: Written) => {
      if (!written.ok) return callback(wrongVersionError(stream, expected, written.actual))
      const at = String(written.position)
      const position = new streams.DeleteResp.Position().setCommitPosition(at).setPreparePosition(at)
      callback(null, new streams.DeleteResp().setPosition(position))
    }
    const apply = () => host.store.delete(stream, expected)
    execute(host, host.fault({ method: 'delete', stream }), { apply, answer, fail: callback })
  }
}

type Callback = (error: ServiceError | null, response?: AppendResp) => void

function settle(host: Host, requests: readonly AppendReq[], callback: Callback): void {
  const options = requests[0]?.getOptions()
  const stream = streamName(options?.getStreamIdentifier())
  const expected = options?.hasRevision()
    ? Number(options.getRevision())
    : options?.hasNoStream()
      ? 'none'
      : options?.hasStreamExists()
        ? 'exists'
        : 'any'
  const events = requests.slice(1).map((request) => proposedOf(request.getProposedMessage()!))
  const fault = host.fault({ method: 'append', stream })
  if (fault === 'overtake') overtake(host, stream, events)
  execute(host, fault, {
    apply: () => host.store.append(stream, expected, events),
    answer: (written) => callback(null, responseOf(written, expected)),
    fail: callback,
  })
}

/** Makes another writer append first. */
export function overtake(host: Host, stream: string, events: readonly Proposed[]): void {
  const [first] = events
  if (first) host.store.append(stream, 'any', [{ ...first, id: crypto.randomUUID() }])
}

function responseOf(written: Written, expected: Expected): AppendResp {
  if (!written.ok) {
    const wrong = new streams.AppendResp.WrongExpectedVersion()
    if (written.actual < 0) wrong.setCurrentNoStream(new shared.Empty())
    else wrong.setCurrentRevision(String(written.actual))
    if (typeof expected === 'number') wrong.setExpectedRevision(String(expected))
    else wrong.setExpectedNoStream(new shared.Empty())
    return new streams.AppendResp().setWrongExpectedVersion(wrong)
  }
  const at = String(written.position)
  const success = new streams.AppendResp.Success()
    .setCurrentRevision(String(written.revision))
    .setPosition(new streams.AppendResp.Position().setCommitPosition(at).setPreparePosition(at))
  return new streams.AppendResp().setSuccess(success)
}

function wrongVersionError(stream: string, expected: Expected, actual: number): ServiceError {
  return failure(status.FAILED_PRECONDITION, 'WrongExpectedVersion', {
    exception: 'wrong-expected-version',
    'stream-name': stream,
    'expected-version': typeof expected === 'number' ? String(expected) : '-1',
    'actual-version': String(actual),
  })
}
