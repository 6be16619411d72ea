import { createRequire } from 'node:module'
import codes from '@eventstore/db-client/generated/code_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import statuses, { type Status } from '@eventstore/db-client/generated/status_pb.js'
import streams, { type BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { handleBidiStreamingCall } from '@grpc/grpc-js'
import { overtake } from './append.ts'
import { execute, type Host } from './host.ts'
import type { Expected, Written } from './memory-store.ts'
import { identifierOf, proposedOf, streamName } from './messages.ts'

type AnyMessage = NonNullable<ReturnType<Status['getDetails']>>

// The package has no types; the client's types describe it.
const fromClient = createRequire(import.meta.resolve('@eventstore/db-client'))
const { Any } = fromClient('google-protobuf/google/protobuf/any_pb.js') as { Any: new () => AnyMessage }

/** Handles appends that share one call. Each is a run of requests with the same correlation id, of which the last is marked as final. */
export function batchAppend(host: Host): handleBidiStreamingCall<BatchAppendReq, BatchAppendResp> {
  return (call) => {
    const begun = new Map<string, BatchAppendReq[]>()
    const refusal = host.refusal(call.metadata)
    if (refusal) call.emit('error', refusal)
    call.on('error', () => {})
    call.on('end', () => call.end())
    call.on('data', (request: BatchAppendReq) => {
      const id = request.getCorrelationId()?.getString() ?? ''
      const requests = [...(begun.get(id) ?? []), request]
      begun.set(id, requests)
      if (!request.getIsFinal()) return
      begun.delete(id)
      settle(host, requests, (response) => call.write(response.setCorrelationId(request.getCorrelationId())))
    })
  }
}

function settle(host: Host, requests: readonly BatchAppendReq[], answer: (response: BatchAppendResp) => void): void {
  const options = requests[0]!.getOptions()
  const stream = streamName(options?.getStreamIdentifier())
  const expected: Expected = options?.hasStreamPosition()
    ? Number(options.getStreamPosition())
    : options?.hasNoStream()
      ? 'none'
      : options?.hasStreamExists()
        ? 'exists'
        : 'any'
  const events = requests.flatMap((request) => request.getProposedMessagesList()).map(proposedOf)
  const fault = host.fault({ method: 'append', stream })
  if (fault === 'overtake') overtake(host, stream, events)
  execute(host, fault, {
    apply: () => host.store.append(stream, expected, events),
    answer: (written) => answer(responseOf(written).setStreamIdentifier(identifierOf(stream))),
    fail: (error) => answer(errorResponse(codes.Code.UNAVAILABLE, error.details, 'Unknown', new shared.Unknown())),
  })
}

function responseOf(written: Written): BatchAppendResp {
  if (!written.ok) {
    const wrong = new shared.WrongExpectedVersion()
    if (written.actual >= 0) wrong.setCurrentStreamRevision(String(written.actual))
    return errorResponse(codes.Code.FAILED_PRECONDITION, 'WrongExpectedVersion', 'WrongExpectedVersion', wrong)
  }
  const at = String(written.position)
  const success = new streams.BatchAppendResp.Success()
    .setCurrentRevision(String(written.revision))
    .setPosition(new shared.AllStreamPosition().setCommitPosition(at).setPreparePosition(at))
  return new streams.BatchAppendResp().setSuccess(success)
}

function errorResponse(
  code: Parameters<Status['setCode']>[0],
  message: string,
  type: string,
  details: { serializeBinary(): Uint8Array },
): BatchAppendResp {
  const packed = new Any()
  packed.pack(details.serializeBinary(), `event_store.client.${type}`)
  return new streams.BatchAppendResp().setError(
    new statuses.Status().setCode(code).setMessage(message).setDetails(packed),
  )
}
