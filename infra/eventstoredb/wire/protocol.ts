import protobuf from 'protobufjs'

/**
 * Messages that are read and written in large numbers, with the field numbers of the server's protocol. The client has classes for all of them,
 * which take twice as long: they create a dozen objects for one event.
 */
const { root } = protobuf.parse(`
  syntax = "proto3";

  message Empty {}
  message Uuid { string string = 2; }
  message Stream { bytes name = 3; }
  message Position { uint64 commit = 1; uint64 prepare = 2; }

  message ReadReq {
    message All { oneof from { Position position = 1; Empty start = 2; } }
    message Expression { string regex = 1; }
    message Filter { Expression stream = 1; uint32 max = 3; uint32 checkpoint_every = 5; }
    message Uuids { Empty string = 2; }
    message Options { All all = 2; Empty subscription = 6; Filter filter = 7; Uuids uuids = 9; }
    Options options = 1;
  }

  message ReadResp {
    message Recorded {
      Uuid id = 1;
      Stream stream = 2;
      uint64 revision = 3;
      uint64 commit = 5;
      map<string, string> metadata = 6;
      bytes custom_metadata = 7;
      bytes data = 8;
    }
    message Resolved { Recorded event = 1; }
    Resolved event = 1;
  }

  message BatchAppendReq {
    message Options { Stream stream = 1; oneof expected { uint64 revision = 2; Empty no_stream = 3; } }
    message Proposed { Uuid id = 1; map<string, string> metadata = 2; bytes custom_metadata = 3; bytes data = 4; }
    Uuid id = 1;
    Options options = 2;
    repeated Proposed proposed = 3;
    bool is_final = 4;
  }

  message BatchAppendResp {
    message Any { string type_url = 1; bytes value = 2; }
    message Status { Any details = 3; }
    message Success { uint64 revision = 1; Position position = 3; }
    Uuid id = 1;
    Status error = 2;
    Success success = 3;
  }

  message WrongExpectedVersion { oneof current { uint64 revision = 1; Empty no_stream = 2; } }
`)

/** Integer of 64 bits. The values here stay below 2^53. */
interface Long {
  toNumber(): number
}

export interface ReadRequest {
  readonly options: {
    readonly all: { readonly position: Position } | { readonly start: object }
    readonly subscription: object
    readonly filter: {
      readonly stream: { readonly regex: string }
      readonly max: number
      readonly checkpointEvery: number
    }
    readonly uuids: { readonly string: object }
  }
}

interface Position {
  readonly commit: number
  readonly prepare: number
}

/** Event as the server stores it. `metadata` is the server's own, and says what `data` is. */
export interface WireEvent {
  readonly id: { readonly string: string }
  readonly stream: { readonly name: Buffer }
  readonly revision: Long
  readonly commit: Long
  readonly metadata: Readonly<Record<string, string | undefined>>
  readonly customMetadata: Buffer
  readonly data: Buffer
}

export interface ReadResponse {
  readonly event: { readonly event: WireEvent | null } | null
}

export interface BatchAppendRequest {
  readonly id: { readonly string: string }
  readonly options: {
    readonly stream: { readonly name: Buffer }
    readonly revision?: number
    readonly noStream?: object
  }
  readonly proposed: readonly {
    readonly id: { readonly string: string }
    readonly metadata: Readonly<Record<string, string>>
    readonly customMetadata?: Buffer
    readonly data: Buffer
  }[]
  readonly isFinal: true
}

export interface BatchAppendResponse {
  readonly id: { readonly string: string } | null
  readonly error: { readonly details: { readonly typeUrl: string; readonly value: Buffer } | null } | null
  readonly success: { readonly revision: Long; readonly position: { readonly commit: Long } | null } | null
}

const encoder = <T extends object>(name: string) => {
  const type = root.lookupType(name)
  return (message: T): Buffer => type.encode(message).finish() as Buffer
}

const decoder = <T>(name: string) => {
  const type = root.lookupType(name)
  return (bytes: Buffer): T => type.decode(bytes) as T
}

/** Method of the protocol: its path, and the encoding of its requests and answers. */
export interface Method<Request, Answer> {
  readonly path: string
  readonly write: (request: Request) => Buffer
  readonly read: (bytes: Buffer) => Answer
}

export const READ: Method<ReadRequest, ReadResponse> = {
  path: '/event_store.client.streams.Streams/Read',
  write: encoder('ReadReq'),
  read: decoder('ReadResp'),
}

export const BATCH_APPEND: Method<BatchAppendRequest, BatchAppendResponse> = {
  path: '/event_store.client.streams.Streams/BatchAppend',
  write: encoder('BatchAppendReq'),
  read: decoder('BatchAppendResp'),
}

/** Details of an append that was refused for its expected revision. */
export const WRONG_EXPECTED_VERSION = {
  name: 'event_store.client.WrongExpectedVersion',
  read: decoder<{ readonly current: 'revision' | 'noStream' | undefined; readonly revision: Long }>(
    'WrongExpectedVersion',
  ),
}
